import { type FilterGroup, GroupError, isGroup, readGroup, writeGroup } from './filter-groups.ts';

/** Condition of a list in an address; the operator is a suffix of the wire format. */
export interface AddressCondition {
  readonly field: string;
  readonly operator: string;
  readonly value?: string | number | boolean | undefined;
}

/** Column of a view in an address. */
export interface AddressColumn {
  readonly name: string;
  readonly hidden?: boolean | undefined;
  readonly pin?: 'left' | 'right' | undefined;
}

/** Kinds of views beside the table: columns by a state, a calendar by a date, and groups of rows. */
export const layoutKinds = ['board', 'calendar', 'group'] as const;

/** View of a list other than a plain table, by the values of a field. */
export interface ListLayout {
  readonly kind: (typeof layoutKinds)[number];
  readonly field: string;
}

/** Query of a list as far as an address states it; an absent part has its default. */
export interface AddressedQuery {
  readonly filters?: Readonly<Record<string, unknown>>;
  readonly conditions?: readonly AddressCondition[];
  /** Group of conditions, of which rows meet all or any. */
  readonly where?: FilterGroup<AddressCondition> | undefined;
  readonly sort?: { readonly field: string; readonly direction: 'asc' | 'desc' } | undefined;
  readonly layout?: ListLayout | undefined;
  readonly current?: number;
  readonly size?: number;
}

/** State of a list that an address can state. */
export interface ListState extends AddressedQuery {
  readonly columns?: readonly AddressColumn[];
  /** Id of the opened record. */
  readonly record?: string | undefined;
  /** Form that is open, or `page` for a record on a page of its own; without a mode the record is shown beside the list. */
  readonly mode?: string | undefined;
}

/** Field of a list, as far as reading an address needs it. */
export interface AddressField {
  readonly name: string;
  /** `time` is a span of times, `range` a pair of bounds. */
  readonly kind: 'text' | 'number' | 'time' | 'range' | 'numberRange';
  /** Valid values; any value is valid without them. */
  readonly options?: readonly (string | number | boolean)[] | undefined;
  /** Comparisons of the filter builder; absent when the list cannot be filtered by the field. */
  readonly operators?: readonly string[] | undefined;
  readonly isSortable?: boolean;
  /** Views beside the table that the list offers by this field. */
  readonly layouts?: readonly ListLayout['kind'][] | undefined;
}

/** Result of reading an address. */
export interface ReadList {
  readonly query: Required<Pick<AddressedQuery, 'filters' | 'conditions'>> & Pick<AddressedQuery, 'where' | 'sort' | 'layout' | 'current' | 'size'>;
  readonly columns: readonly AddressColumn[];
  /** True when the address states the list, so that no default view applies. */
  readonly isStated: boolean;
  /** Names of fields whose filter, condition or order could not be applied. */
  readonly unapplied: readonly string[];
}

/** Parameters of the query of a list that do not name a field. */
const queryParameters: ReadonlySet<string> = new Set(['sort', 'page', 'size', 'view', 'where', 'layout']);
/** Parameters with a meaning of their own: a filter of such a field is written `sort.is=5`. */
export const stateParameters: ReadonlySet<string> = new Set([...queryParameters, 'columns', 'record', 'mode', 'part', 'at', 'tab', 'safe']);
/** Value of the parameter `view` for a list without filters although its reader may have a default view. */
export const unfilteredView = 'all';
const valueless: ReadonlySet<string> = new Set(['null', 'notnull', 'several']);
const pageSizes: ReadonlySet<number> = new Set([10, 30, 50, 100, 200]);

const isMissing = (value: unknown): boolean => value === undefined || value === null || value === '';

/** Returns the address of a list in a state, such as `/base/lamp/index?status=1&price.gt=100&sort=-price&page=3`. */
export function listAddress(path: string, state: ListState): string {
  const parameters = new URLSearchParams();
  writeList(parameters, state);
  if (state.columns?.length) parameters.set('columns', state.columns.map(writeColumn).join(','));
  writeRecord(parameters, state);
  return path + searchOf(parameters);
}

/** Returns parameters as the search part of an address; characters that need no encoding stay readable. */
export function searchOf(parameters: URLSearchParams): string {
  const text = parameters.toString().replace(/%(?:3A|2C|2F|40)/g, decodeURIComponent);
  return text === '' ? '' : `?${text}`;
}

/** Adds the query of a list to parameters; defaults are left out. */
export function writeList(parameters: URLSearchParams, { filters = {}, conditions = [], where, sort, layout, current = 1, size = 10 }: AddressedQuery): void {
  for (const [field, value] of Object.entries(filters)) {
    const text = Array.isArray(value) ? writeRange(value) : isMissing(value) ? '' : String(value);
    if (text !== '') parameters.append(stateParameters.has(field) ? `${field}.is` : field, text);
  }
  for (const { field, operator, value } of conditions) parameters.append(`${field}.${operator}`, valueless.has(operator) ? '' : String(value ?? ''));
  if (where) parameters.set('where', writeConditions(where));
  if (sort) parameters.set('sort', `${sort.direction === 'desc' ? '-' : ''}${sort.field}`);
  if (layout) parameters.set('layout', `${layout.kind}.${layout.field}`);
  if (current > 1) parameters.set('page', String(current));
  if (size !== 10) parameters.set('size', String(size));
}

/** Adds the opened record to parameters, or removes it. */
export function writeRecord(parameters: URLSearchParams, { record, mode }: Pick<ListState, 'record' | 'mode'>): void {
  parameters.delete('record');
  parameters.delete('mode');
  if (record !== undefined) parameters.set('record', record);
  if (mode !== undefined) parameters.set('mode', mode);
}

/** Reads the opened record. */
export function readRecord(search: string): Pick<ListState, 'record' | 'mode'> {
  const parameters = new URLSearchParams(search);
  return { record: parameters.get('record') || undefined, mode: parameters.get('mode') || undefined };
}

/** Reads the state of a list from the parameters of an address. Parameters that are no part of the list are ignored. */
export function readList(search: string, fields: readonly AddressField[]): ReadList {
  const parameters = new URLSearchParams(search);
  const byName = new Map(fields.map((field) => [field.name, field]));
  const filters: Record<string, unknown> = {};
  const conditions: AddressCondition[] = [];
  const unapplied = new Set<string>();
  for (const [name, text] of parameters) {
    const target = targetOf(name, byName);
    if (!target || (text === '' && !valueless.has(target.operator))) continue;
    const { field, operator } = target;
    const value = field && readFilterOrCondition(field, operator, text);
    if (!field || value === undefined) unapplied.add(target.name);
    else if (operator === 'is') filters[field.name] = value;
    else conditions.push({ field: field.name, operator, ...(valueless.has(operator) ? {} : { value: value as string }) });
  }
  const where = readWhere(parameters.get('where'), byName, unapplied);
  const sort = readSort(parameters.get('sort'), byName);
  if (parameters.get('sort') && !sort) unapplied.add((parameters.get('sort') as string).replace(/^-/, ''));
  const layout = readLayout(parameters.get('layout'), byName);
  if (parameters.get('layout') && !layout) unapplied.add('layout');
  const [current, size] = [Number(parameters.get('page')), Number(parameters.get('size'))];
  return {
    query: {
      filters,
      conditions,
      ...(where ? { where } : {}),
      ...(sort ? { sort } : {}),
      ...(layout ? { layout } : {}),
      ...(Number.isSafeInteger(current) && current > 1 ? { current } : {}),
      ...(pageSizes.has(size) ? { size } : {}),
    },
    columns: (parameters.get('columns') ?? '').split(',').flatMap(readColumn),
    isStated: [...parameters.keys()].some((name) => queryParameters.has(name) || targetOf(name, byName)?.field),
    unapplied: [...unapplied],
  };
}

/** Writes a group of conditions as the server takes it and addresses state it. */
export const writeConditions = (group: FilterGroup<AddressCondition>): string => writeGroup(wireGroup(group));

const wireGroup = ({ join, of }: FilterGroup<AddressCondition>): FilterGroup => ({
  join,
  of: of.map((part) => {
    if (isGroup(part)) return wireGroup(part);
    const { field, operator, value } = part;
    return { name: `${field}_${operator}`, value: valueless.has(operator) || value === undefined ? 'true' : value };
  }),
});

/** Reads a group of conditions; one with a part that cannot be applied is not applied at all, because the rest would mean something else. */
function readWhere(text: string | null, fields: ReadonlyMap<string, AddressField>, unapplied: Set<string>): FilterGroup<AddressCondition> | undefined {
  const unknown = new Set<string>();
  const read = ({ join, of }: FilterGroup): FilterGroup<AddressCondition> => ({
    join,
    of: of.flatMap((part): (AddressCondition | FilterGroup<AddressCondition>)[] => {
      if (isGroup(part)) return [read(part)];
      const cut = part.name.lastIndexOf('_');
      const [name, operator] = [part.name.slice(0, cut), part.name.slice(cut + 1)];
      const field = fields.get(name);
      const value = field?.operators?.includes(operator) ? readCondition(field, operator, String(part.value)) : undefined;
      if (value === undefined) unknown.add(name || part.name);
      return value === undefined ? [] : [{ field: name, operator, ...(valueless.has(operator) ? {} : { value }) }];
    }),
  });
  if (!text) return undefined;
  try {
    const where = read(readGroup(text));
    for (const name of unknown) unapplied.add(name);
    return unknown.size === 0 && where.of.length > 0 ? where : undefined;
  } catch (error) {
    if (!(error instanceof GroupError)) throw error;
    unapplied.add('where');
    return undefined;
  }
}

/** Removes the query of a list from parameters; others stay. */
export function clearList(parameters: URLSearchParams, fields: readonly AddressField[]): void {
  const byName = new Map(fields.map((field) => [field.name, field]));
  for (const name of [...parameters.keys()]) if (queryParameters.has(name) || targetOf(name, byName)) parameters.delete(name);
}

interface Target {
  readonly name: string;
  readonly field: AddressField | undefined;
  readonly operator: string;
}

/** Returns the field and the comparison that a parameter names; `is` stands for the search area. */
function targetOf(name: string, fields: ReadonlyMap<string, AddressField>): Target | undefined {
  const cut = name.lastIndexOf('.');
  if (cut > 0) {
    const [base, operator] = [name.slice(0, cut), name.slice(cut + 1)];
    const isComparison = operator === 'is' || [...fields.values()].some(({ operators }) => operators?.includes(operator));
    return fields.has(base) || isComparison ? { name: base, field: fields.get(base), operator } : undefined;
  }
  return !stateParameters.has(name) && fields.has(name) ? { name, field: fields.get(name), operator: 'is' } : undefined;
}

/** Reads a filter or condition; undefined if the list cannot be filtered by the field in this way. */
function readFilterOrCondition(field: AddressField, operator: string, text: string): unknown {
  if (!field.operators) return undefined;
  if (operator === 'is') return readFilter(field, text);
  return field.operators.includes(operator) ? readCondition(field, operator, text) : undefined;
}

/** Reads a bound of a range, which may be open; a date without a time gets `timeOfDay`. */
function readBound(kind: 'time' | 'range' | 'numberRange', text: string, timeOfDay: string): string | number | undefined {
  if (text === '' || kind === 'range') return text;
  return kind === 'time' ? readTime(text, timeOfDay) : readNumber(text);
}

function readFilter({ kind, options }: AddressField, text: string): unknown {
  if (kind === 'time' || kind === 'range' || kind === 'numberRange') {
    const [from = '', to = from, more] = text.split('..');
    const bounds = [readBound(kind, from, '00:00:00'), readBound(kind, to, '23:59:59')];
    return more !== undefined || bounds.includes(undefined) || bounds.every((bound) => bound === '') ? undefined : bounds;
  }
  return readValue({ kind, options }, text);
}

function readCondition({ kind, options }: AddressField, operator: string, text: string): string | number | boolean | undefined {
  if (valueless.has(operator)) return '';
  return readValue({ kind: kind === 'numberRange' ? 'number' : kind, options }, text);
}

function readValue({ kind, options }: Pick<AddressField, 'kind' | 'options'>, text: string): string | number | boolean | undefined {
  if (options) return options.find((option) => String(option) === text);
  return kind === 'number' ? readNumber(text) : text;
}

const readNumber = (text: string): number | undefined => (Number.isFinite(Number(text)) && text.trim() !== '' ? Number(text) : undefined);

const timePattern = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d:\d\d))?$/;

/** Reads a time as `yyyy-MM-dd HH:mm:ss`; a date without a time gets `timeOfDay`. */
function readTime(text: string, timeOfDay: string): string | undefined {
  const [, day, given = timeOfDay] = timePattern.exec(text) ?? [];
  return day && !Number.isNaN(Date.parse(`${day}T${given}Z`)) ? `${day} ${given}` : undefined;
}

/** Writes bounds as `2..5`; times at the beginning and the end of days as days. */
function writeRange([from, to]: readonly unknown[]): string {
  const write = (bound: unknown, timeOfDay: string) =>
    (isMissing(bound) ? '' : String(bound).replace(new RegExp(`^(\\d{4}-\\d\\d-\\d\\d) ${timeOfDay}$`), '$1')).replace(
      /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)$/,
      '$1T$2',
    );
  const text = `${write(from, '00:00:00')}..${write(to, '23:59:59')}`;
  return text === '..' ? '' : text;
}

function readLayout(text: string | null, fields: ReadonlyMap<string, AddressField>): ListLayout | undefined {
  const [kindText = '', field = ''] = text?.split('.') ?? [];
  const kind = layoutKinds.find((one) => one === kindText);
  return kind && fields.get(field)?.layouts?.includes(kind) ? { kind, field } : undefined;
}

function readSort(text: string | null, fields: ReadonlyMap<string, AddressField>): AddressedQuery['sort'] {
  const field = text?.replace(/^-/, '');
  if (!text || !field || !fields.get(field)?.isSortable) return undefined;
  return { field, direction: text.startsWith('-') ? 'desc' : 'asc' };
}

const writeColumn = ({ name, hidden, pin }: AddressColumn): string => `${hidden ? '-' : ''}${name}${pin ? `:${pin}` : ''}`;

function readColumn(text: string): AddressColumn[] {
  const [, hidden, name, pin] = /^(-?)([^-:][^:]*)(?::(left|right))?$/.exec(text) ?? [];
  return name ? [{ name, ...(hidden ? { hidden: true } : {}), ...(pin ? { pin: pin as 'left' | 'right' } : {}) }] : [];
}
