import { useMemo, useState } from 'react';
import { usePreference } from '../../../platform/preferences/user-preferences.ts';
import type { CrudPageProps } from '../../model/crud-screen.ts';
import type { ScreenField } from '../../model/entity-fields.ts';
import { type ColumnSetting, defaultSettings, mergedSettings, settingsVersion, type TableSettings } from '../../model/table-settings.ts';

export interface UsedSettings {
  readonly settings: TableSettings;
  /** Saves settings for this user; `undefined` restores the page's own. */
  readonly change: (settings: TableSettings | undefined) => void;
  /** Shows the columns of a view without saving them; an empty list shows the user's own. */
  readonly applyTemporary: (columns: readonly ColumnSetting[]) => void;
}

/** Returns the signed-in user's settings of this table, or the columns of the current view. */
export function useTableSettings({ crud, columns = {} }: CrudPageProps, fields: readonly ScreenField[], begun: readonly ColumnSetting[] = []): UsedSettings {
  const [saved, keep] = usePreference<TableSettings>(`table:${crud.list.path}`, settingsVersion);
  const [borrowed, setBorrowed] = useState(begun);
  const preset = defaultSettings(fields, columns);
  const presetText = JSON.stringify(preset);
  const settings = useMemo(() => {
    const own = mergedSettings(saved, JSON.parse(presetText));
    return borrowed.length > 0 ? mergedSettings({ ...own, columns: borrowed }, JSON.parse(presetText)) : own;
  }, [saved, borrowed, presetText]);
  const change = (selected: TableSettings | undefined) => {
    setBorrowed([]);
    keep(selected);
  };
  return { settings, change, applyTemporary: setBorrowed };
}
