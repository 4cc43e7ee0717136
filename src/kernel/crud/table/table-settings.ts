import type { ColumnOverride } from '../crud-screen.ts';
import type { ScreenField } from '../entity-fields.ts';

/** How one operator likes one column. */
export interface ColumnSetting {
  readonly name: string;
  readonly hidden?: boolean | undefined;
  readonly pin?: 'left' | 'right' | undefined;
  /** Pixels; what the field asks for unless set. */
  readonly width?: number | undefined;
}

/** How one operator likes one table: its columns stand in this order. */
export interface TableSettings {
  readonly density: 'default' | 'middle' | 'small';
  readonly columns: readonly ColumnSetting[];
}

/** The form in which settings are kept; another one is not read. */
export const settingsVersion = 2;

/** The narrowest and the widest a column may be. */
export const columnWidths = { least: 48, most: 1200 } as const;

/** What the page and its fields say before an operator has changed anything. */
export function presetOfTable(fields: readonly ScreenField[], overrides: Readonly<Record<string, ColumnOverride | undefined>>): TableSettings {
  const columns = fields.map(({ name, traits }) => {
    const { hidden, pin = traits.pin } = overrides[name] ?? {};
    return { name, ...(hidden ? { hidden } : {}), ...(pin ? { pin } : {}) };
  });
  return { density: 'middle', columns };
}

/** Settings an operator made for this table as it is now: new columns stand where the page puts them, columns that are no more are left out. */
export function mergedSettings(kept: unknown, preset: TableSettings): TableSettings {
  const { density, columns } = (typeof kept === 'object' && kept !== null ? kept : {}) as Partial<TableSettings>;
  const known = new Set(preset.columns.map(({ name }) => name));
  const merged = (Array.isArray(columns) ? columns : []).filter((column): column is ColumnSetting => known.delete(column?.name)).map(tidy);
  preset.columns.forEach((column, index) => {
    if (!known.has(column.name)) return;
    const before = merged.findIndex(({ name }) => name === preset.columns[index - 1]?.name);
    merged.splice(index === 0 ? 0 : before + 1 || merged.length, 0, column);
  });
  return { density: density === 'default' || density === 'small' ? density : 'middle', columns: merged };
}

function tidy({ name, hidden, pin, width }: ColumnSetting): ColumnSetting {
  return {
    name,
    ...(hidden === true ? { hidden } : {}),
    ...(pin === 'left' || pin === 'right' ? { pin } : {}),
    ...(typeof width === 'number' && Number.isFinite(width) ? { width: within(width) } : {}),
  };
}

/** The columns that are shown as they stand from left to right: pinned ones at their edge. */
export function shownColumns(settings: TableSettings): ColumnSetting[] {
  const shown = settings.columns.filter(({ hidden }) => !hidden);
  const at = (edge: ColumnSetting['pin']) => shown.filter(({ pin }) => pin === edge);
  return [...at('left'), ...at(undefined), ...at('right')];
}

/** The settings with one column changed. */
export const withColumn = (settings: TableSettings, name: string, change: Partial<ColumnSetting>): TableSettings => ({
  ...settings,
  columns: settings.columns.map((column) => (column.name === name ? tidy({ ...column, ...change }) : column)),
});

/** The settings with one column moved to another place. */
export function withColumnAt(settings: TableSettings, name: string, place: number): TableSettings {
  const moved = settings.columns.find((column) => column.name === name);
  if (!moved || place < 0 || place >= settings.columns.length) return settings;
  const columns = settings.columns.filter((column) => column !== moved);
  columns.splice(place, 0, moved);
  return { ...settings, columns };
}

const within = (width: number) => Math.round(Math.min(columnWidths.most, Math.max(columnWidths.least, width)));
