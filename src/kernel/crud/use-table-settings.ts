import { useState } from 'react';
import { Session } from '../auth/session.ts';
import { useService } from '../services.tsx';
import { JsonStorage } from '../storage.ts';
import type { CrudPageProps } from './crud-screen.ts';
import { keepTableSettings, readTableSettings, type TableSettings } from './table-settings.ts';

/** The signed-in user's settings of this table, and how to change them; `undefined` goes back to the page's own. */
export function useTableSettings({ crud, columns = {} }: CrudPageProps): [TableSettings, (settings: TableSettings | undefined) => void] {
  const storage = useService(JsonStorage);
  const { user } = useService(Session);
  const name = `table:${user?.tenant_id ?? ''}:${user?.user_id ?? ''}:${crud.list.path}`;
  const preset: TableSettings = { density: 'middle', hidden: Object.keys(columns).filter((field) => columns[field]?.hidden) };
  const [settings, setSettings] = useState(() => readTableSettings(storage, name, preset));
  const change = (chosen: TableSettings = preset) => {
    setSettings(chosen);
    keepTableSettings(storage, name, chosen);
  };
  return [settings, change];
}
