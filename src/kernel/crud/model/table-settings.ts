import type { ColumnOverride } from './crud-screen.ts';
import type { ScreenField } from './entity-fields.ts';
import { pageSizes } from './list-query.ts';

/** One operator's settings of one column. */
export interface ColumnSetting {
  readonly name: string;
  readonly hidden?: boolean | undefined;
  readonly pin?: 'left' | 'right' | undefined;
  /** Width in pixels; that of the field unless set. */
  readonly width?: number | undefined;
}

/** One operator's settings of one table: its columns are in this order. */
export interface TableSettings {
  readonly density: 'default' | 'middle' | 'small';
  readonly columns: readonly ColumnSetting[];
  /** Number of rows of a page; it follows the height of the window unless set. */
  readonly size?: number | undefined;
}

/** Version of the stored format; other versions are ignored. */
export const settingsVersion = 2;

/** Smallest and largest width of a column in pixels. */
export const columnWidths = { min: 48, max: 1200 } as const;

/** Returns the settings of the page and its fields before an operator changes them. */
export function defaultSettings(fields: readonly ScreenField[], overrides: Readonly<Record<string, ColumnOverride | undefined>>): TableSettings {
  // The counters of a progress bar are shown by it.
  const counters = new Set(fields.flatMap(({ traits: { progress } }) => (progress ? [progress.total, ...progress.parts] : [])));
  const columns = fields.map(({ name, traits }) => {
    const { hidden = counters.has(name), pin = traits.pin } = overrides[name] ?? {};
    return { name, ...(hidden ? { hidden } : {}), ...(pin ? { pin } : {}) };
  });
  return { density: 'middle', columns };
}

/** Merges an operator's settings with the current table: new columns are placed by the page, removed columns are dropped. */
export function mergedSettings(stored: unknown, preset: TableSettings): TableSettings {
  const { density, columns, size } = (typeof stored === 'object' && stored !== null ? stored : {}) as Partial<TableSettings>;
  const columnNames = new Set(preset.columns.map(({ name }) => name));
  const merged = (Array.isArray(columns) ? columns : []).filter((column): column is ColumnSetting => columnNames.delete(column?.name)).map(sanitizeColumn);
  preset.columns.forEach((column, index) => {
    if (!columnNames.has(column.name)) return;
    const before = merged.findIndex(({ name }) => name === preset.columns[index - 1]?.name);
    merged.splice(index === 0 ? 0 : before + 1 || merged.length, 0, column);
  });
  const pageSize = pageSizes.find((option) => option === size);
  return { density: density === 'default' || density === 'small' ? density : 'middle', columns: merged, ...(pageSize ? { size: pageSize } : {}) };
}

function sanitizeColumn({ name, hidden, pin, width }: ColumnSetting): ColumnSetting {
  return {
    name,
    ...(hidden === true ? { hidden } : {}),
    ...(pin === 'left' || pin === 'right' ? { pin } : {}),
    ...(typeof width === 'number' && Number.isFinite(width) ? { width: clampWidth(width) } : {}),
  };
}

/** Returns the visible columns from left to right: pinned ones at their edge. */
export function shownColumns(settings: TableSettings): ColumnSetting[] {
  const shown = settings.columns.filter(({ hidden }) => !hidden);
  const pinnedTo = (edge: ColumnSetting['pin']) => shown.filter(({ pin }) => pin === edge);
  return [...pinnedTo('left'), ...pinnedTo(undefined), ...pinnedTo('right')];
}

/** Returns the settings with one column changed. */
export const withColumn = (settings: TableSettings, name: string, change: Partial<ColumnSetting>): TableSettings => ({
  ...settings,
  columns: settings.columns.map((column) => (column.name === name ? sanitizeColumn({ ...column, ...change }) : column)),
});

/** Returns the settings with one column moved to another index. */
export function moveColumn(settings: TableSettings, name: string, index: number): TableSettings {
  const moved = settings.columns.find((column) => column.name === name);
  if (!moved || index < 0 || index >= settings.columns.length) return settings;
  const columns = settings.columns.filter((column) => column !== moved);
  columns.splice(index, 0, moved);
  return { ...settings, columns };
}

const clampWidth = (width: number) => Math.round(Math.min(columnWidths.max, Math.max(columnWidths.min, width)));
