import { useMemo, useState } from 'react';
import { usePreference } from '../../../platform/preferences/user-preferences.ts';
import type { CrudPageProps } from '../../model/crud-screen.ts';
import type { ScreenField } from '../../model/entity-fields.ts';
import { type ColumnSetting, defaultSettings, mergedSettings, settingsVersion, type TableSettings } from '../../model/table-settings.ts';

/** Settings of a table and functions that change them. */
export interface TableSettingsState {
  readonly settings: TableSettings;
  /** Saves settings for this user; `undefined` restores the page's own. */
  readonly change: (settings: TableSettings | undefined) => void;
  /** Shows the columns of a view without saving them; an empty list shows the user's own. */
  readonly applyTemporary: (columns: readonly ColumnSetting[]) => void;
}

/** Returns the signed-in user's settings of this table, or the columns of the current view. */
export function useTableSettings(
  { crud, columns = {} }: CrudPageProps,
  fields: readonly ScreenField[],
  initialColumns: readonly ColumnSetting[] = [],
): TableSettingsState {
  const [saved, setSaved] = usePreference<TableSettings>(`table:${crud.list.path}`, settingsVersion);
  const [temporaryColumns, setTemporaryColumns] = useState(initialColumns);
  const preset = defaultSettings(fields, columns);
  const presetText = JSON.stringify(preset);
  const settings = useMemo(() => {
    const own = mergedSettings(saved, JSON.parse(presetText));
    return temporaryColumns.length > 0 ? mergedSettings({ ...own, columns: temporaryColumns }, JSON.parse(presetText)) : own;
  }, [saved, temporaryColumns, presetText]);
  const change = (selected: TableSettings | undefined) => {
    setTemporaryColumns([]);
    setSaved(selected);
  };
  return { settings, change, applyTemporary: setTemporaryColumns };
}
