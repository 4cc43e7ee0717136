import { type Language, type LocalizedText, localize } from '#shared/text';
import type { FormColumn } from './sheet-forms.ts';
import { type Cell, cellOf, dateText, type SheetRow } from './sheets/cells.ts';

/** Marker at the beginning of a template's example row, unlikely to be typed by accident. */
const exampleMarker: LocalizedText = ['【示例行，导入时忽略】', '[Example row, not imported] '];

/** True for the example row of a template. */
export const isExample = ({ cells }: SheetRow): boolean => {
  const first = String(cells.find((cell) => cell !== null && cell !== '') ?? '').trim();
  return exampleMarker.some((prefix) => first.startsWith(prefix.trim()));
};

/** Builds a sample row, marked as an example. */
export function exampleOf(columns: readonly FormColumn[], language: Language): Cell[] {
  const cells = columns.map((column) => {
    const cell = cellOf(column, sampleOf(column, language), language);
    return cell instanceof Date ? dateText(cell, column.traits.widget) : cell;
  });
  return [`${localize(exampleMarker, language)}${cells[0] ?? ''}`, ...cells.slice(1)];
}

const samples: Readonly<Record<string, unknown>> = {
  'date-time': '2026-01-31 08:00:00',
  date: '2026-01-31',
  time: '08:00:00',
  email: 'name@example.com',
  phone: '13800138000',
  url: 'https://example.com/',
  image: 'https://example.com/picture.png',
  attachment: ['https://example.com/paper.pdf'],
  'rich-text': '<p>…</p>',
  cron: '0 0 8 * * ?',
  parent: '0',
  secret: '******',
};

function sampleOf({ schema, traits, options, title }: FormColumn, language: Language): unknown {
  const { minimum = 0, maximum = 1, default: preset, format } = schema as { minimum?: number; maximum?: number; default?: unknown; format?: string };
  const [first] = options;
  if (first) return traits.multiple ? [first[0]] : first[0];
  if (preset !== undefined && traits.widget !== 'parent') return preset;
  if (traits.widget === 'number') return Math.min(Math.max(1, minimum), maximum);
  if (traits.widget === 'money') return Math.min(Math.max(9900, minimum), maximum);
  if (format === 'json') return '{}';
  return samples[traits.widget] ?? localize(traits.placeholder ?? [title, title], language);
}
