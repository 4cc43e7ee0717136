import type { JsonStorage } from '../storage.ts';

/** How one operator likes one table. */
export interface TableSettings {
  readonly density: 'default' | 'middle' | 'small';
  /** Fields whose column is not shown. */
  readonly hidden: readonly string[];
}

const version = 1;

/** Reads a table's settings; what another version wrote, or nobody did, is the preset. */
export function readTableSettings(storage: JsonStorage, name: string, preset: TableSettings): TableSettings {
  const kept = storage.read<Partial<TableSettings> & { version?: number }>(name);
  if (kept?.version !== version) return preset;
  const density = kept.density === 'default' || kept.density === 'small' ? kept.density : 'middle';
  return { density, hidden: Array.isArray(kept.hidden) ? kept.hidden.filter((field) => typeof field === 'string') : preset.hidden };
}

/** Keeps a table's settings in this browser. */
export function keepTableSettings(storage: JsonStorage, name: string, settings: TableSettings): void {
  storage.write(name, { version, ...settings });
}
