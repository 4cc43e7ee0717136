import { sql } from 'drizzle-orm';
import type { TSchema } from 'typebox';
import { type DictionaryLabels, queryRows, type ReferenceReader, type ServerContext } from '#server';
import { traitsOf } from '#shared/fields';
import { type Language, type LocalizedText, localize } from '#shared/text';
import { valuesOf } from './export-labels.ts';
import type { TransferTarget } from './sheet-forms.ts';
import { cellOf, columnsOf, displayText } from './sheets/cells.ts';
import type { StoredExport, TransferRecord } from './transfer-rows.ts';

interface NameDeps extends Pick<ServerContext, 'db'> {
  readonly dictionaries: Pick<DictionaryLabels, 'of'>;
  readonly references: ReferenceReader;
}

const maxLength = 80;
const messages = {
  selected: ['已选{count}项', '{count} selected'],
  empty: ['空', 'empty'],
  filled: ['非空', 'not empty'],
  not: ['非{value}', 'not {value}'],
} as const satisfies Record<string, LocalizedText>;

/** Names the file of an export after its list, its filters and the day, in the language of its user: `任务列表_状态-进行中_2026-11-24.xlsx`. */
export async function exportFileName(deps: NameDeps, target: TransferTarget, record: TransferRecord): Promise<string> {
  const { title, language, tenantId } = record;
  const { format, ids } = record.request as StoredExport;
  const filters = await filterTexts(deps, target, record);
  if (ids) filters.push(localize(messages.selected, language, { count: ids.length }));
  const [today] = await deps.db.read({ tenantId }, () => queryRows<{ day: string }>(deps.db, sql`select to_char(now(), 'YYYY-MM-DD') as day`));
  return fileName([localize(title, language), ...filters], `_${today?.day ?? ''}.${format}`);
}

/** Joins the parts of a file name, without characters that some file systems refuse, and shortens the result before the ending. */
export function fileName(parts: readonly string[], ending: string): string {
  const characters = [...parts.map(safeName).filter(Boolean).join('_')];
  const available = maxLength - ending.length;
  return `${characters.length > available ? `${characters.slice(0, available - 1).join('')}…` : characters.join('')}${ending}`;
}

/** Replaces the characters that a file system refuses or that separate the parts of a name. */
const safeName = (text: string) =>
  text
    .replace(/[\\/:*?"<>|_\p{C}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+|[. ]+$/g, '');

/** Describes each filtered field with its values. */
async function filterTexts(deps: NameDeps, { crud, entity }: TransferTarget, { request, tenantId, language }: TransferRecord): Promise<string[]> {
  const { query = {} } = request as StoredExport;
  const fields = { ...entity.fields, ...crud.list?.filterable?.fields } as Record<string, TSchema>;
  const texts = new Map<string, string[]>();
  for (const [parameter, value] of Object.entries(query).sort(([one], [other]) => (one < other ? -1 : 1))) {
    const [, name = '', operator = ''] = Object.hasOwn(fields, parameter) ? ['', parameter] : (/^(.+)_([a-z]+)$/.exec(parameter) ?? []);
    const schema = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (!schema || value === '') continue;
    const text = await valueText(deps, { name, schema, operator, value: String(value) }, { tenantId, language });
    texts.set(name, [...(texts.get(name) ?? []), text]);
  }
  // Stored requests do not keep the order of their parameters.
  const ordered = Object.keys(fields).flatMap((name) => (texts.has(name) ? [[name, texts.get(name) ?? []] as const] : []));
  return ordered.map(([name, values]) => [localize(traitsOf(fields[name] as TSchema)?.title ?? [name, name], language), ...values].join('-'));
}

interface NamedFilter {
  readonly name: string;
  readonly schema: TSchema;
  readonly operator: string;
  readonly value: string;
}

async function valueText(
  { dictionaries, references }: NameDeps,
  { name, schema, operator, value }: NamedFilter,
  { tenantId, language }: { readonly tenantId: string; readonly language: Language },
): Promise<string> {
  if (operator === 'null') return localize(messages.empty, language);
  if (operator === 'notnull') return localize(messages.filled, language);
  const [column] = columnsOf({ [name]: schema }, language, await dictionaries.of(tenantId, [schema]));
  if (!column) return value;
  const texts: string[] = [];
  for (const one of column.options.length > 0 || column.traits.reference ? valuesOf(value) : [value]) {
    const label = column.traits.reference ? await references.labelOf(column.traits, one, {}) : undefined;
    const cell = label ?? cellOf(column, one, language);
    texts.push(displayText(cell ?? one, 'date'));
  }
  const text = texts.join(' ');
  return operator === 'notequal' ? localize(messages.not, language, { value: text }) : text;
}
