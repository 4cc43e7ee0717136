import type { Static, TSchema, TUnsafe } from 'typebox';
import * as Type from 'typebox';
import type { LocalizedText } from '../text/text.ts';
import { TreeOf } from '../text/tree.ts';
import type { Entity, RowOf } from './entity.ts';
import { Id } from './fields.ts';

/** Access of a call. There is no default: a call without it neither compiles nor boots. */
export type Access = 'open' | 'signedIn' | { readonly code: string } | { readonly add: string; readonly edit: string };

/** One call of the API. The console's typed client, the server's route and the API description all derive from this object. */
export interface Call<Input extends TSchema = TSchema, Reply extends TSchema = TSchema> {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly title: LocalizedText;
  readonly access: Access;
  /** `fresh` for a sensitive call: its user has proved their identity within the last five minutes, by signing in or by confirming it. */
  readonly proof?: 'fresh';
  /** Parameters, read from query, JSON or form body alike. */
  readonly input: Input;
  /** Schema of `data` in the envelope. */
  readonly reply: Reply;
  /** True for a reply without the envelope, as the OAuth2 token endpoint sends it. */
  readonly bare?: boolean;
  /** Schema of a failed reply, where it has no envelope either. */
  readonly refusal?: TSchema;
  /** True to pass the body, JSON or a form, unparsed as the single input `raw`, for signatures that cover the exact bytes. */
  readonly raw?: boolean;
  /** False where clients send the call without the `Authorization` header of their client. */
  readonly clientHeader?: false;
  /** True for `multipart/form-data`: one file in the field `file`, after the fields of the input. */
  readonly upload?: boolean;
  /** True to answer with a file instead of an envelope. */
  readonly download?: boolean;
  /** True to redirect the browser to the address that the handler returns. */
  readonly redirect?: boolean;
  /** Effect of a successful call on a row, which selects the success message. `saved` counts as an update where the input names an id, else as an insert. */
  readonly effect?: 'saved' | 'updated' | 'removed';
  /** On lists: the entity whose fields can be filtered and sorted, with the suffixes of the wire format. */
  readonly filterable?: Entity;
  /** True for a call that reads and may be answered from the read replica. Lists may always be. */
  readonly mayLag?: boolean;
  /** On lists that answer all rows as a tree: schema of the reply to a request with `current` or `size`, which gets one page. */
  readonly page?: TSchema;
}

/** Input type of a call. */
export type InputOf<C extends Call> = Static<C['input']>;
/** Reply type of a call. */
export type ReplyOf<C extends Call> = Static<C['reply']>;

type CallDescription<Input extends TSchema, Reply extends TSchema> = Omit<Call<Input, Reply>, 'method' | 'path'>;

/** Declares a call that reads, sent as GET. */
export const get = <Input extends TSchema, Reply extends TSchema>(path: string, call: CallDescription<Input, Reply>): Call<Input, Reply> => ({
  method: 'GET',
  path,
  ...call,
});

/** Declares a call that writes, sent as POST. */
export const post = <Input extends TSchema, Reply extends TSchema>(path: string, call: CallDescription<Input, Reply>): Call<Input, Reply> => ({
  method: 'POST',
  path,
  ...call,
});

/** Returns the calls; the named ones require a fresh proof of identity. */
export const withFreshProof = <Calls extends object>(calls: Calls, ...names: readonly (keyof Calls & string)[]): Calls => ({
  ...calls,
  ...Object.fromEntries(names.map((name) => [name, { ...calls[name], proof: 'fresh' }])),
});

/** Calls of an import before the rows are imported. */
type ImportSteps = 'importTemplate' | 'importPreview' | 'importMapping';
const importSteps: readonly string[] = ['importTemplate', 'importPreview', 'importMapping'] satisfies ImportSteps[];

/** Leaves calls out of a screen that does not offer them; without `import` there are no previews of imports either. */
export function withoutCalls<Calls extends object, Name extends keyof Calls & string>(
  calls: Calls,
  ...names: readonly Name[]
): Omit<Calls, Name | ('import' extends Name ? ImportSteps : never)> {
  const left = new Set<string>(names);
  for (const step of left.has('import') ? importSteps : []) left.add(step);
  return Object.fromEntries(Object.entries(calls).filter(([name]) => !left.has(name))) as Omit<Calls, Name | ('import' extends Name ? ImportSteps : never)>;
}

/** Input of a call without parameters. */
export const NoInput = Type.Object({});

/** Reply of a call without data. */
export const NoContent = Type.Unsafe<null>({ type: 'null' });

/** The id of one row. */
export const ById = Type.Object({ id: Id() });

/** Rows up to which matches are counted; beyond it the total is a lower bound. */
export const maxCountedRows = 10_001;

/** Rows up to which totals of columns are computed; a longer list answers none. */
export const maxTotalledRows = 200_000;

/** Input of every list: page, size (at most 200; 0 asks for the total only), sorts and `ids` separated by commas, and filters `{field}{suffix}`. */
export interface ListInput {
  current?: number;
  size?: number;
  ascs?: string;
  descs?: string;
  /** At most 200 ids. */
  ids?: string;
  /** True to count every match, however many there are. */
  exactTotal?: boolean;
  /** Group of filters as JSON, such as `{"or":[{"name_like":"a"},{"price_ge":5}]}`; rows meet it in addition to the other filters. */
  where?: string;
  /** True to ask for the totals of the columns, too. */
  totals?: boolean;
  /** Field by whose values the matching rows are counted, too. */
  groups?: string;
  [filter: string]: string | number | boolean | undefined;
}

const idList = { type: 'string', pattern: '^(\\d{1,19}(,\\d{1,19}){0,199})?$' };

const where = { type: 'string' };

/** JSON Schemas of the fixed properties of `ListInput`. */
export const listProperties = {
  current: { type: 'integer', minimum: 1, default: 1 },
  size: { type: 'integer', minimum: 0, default: 10 },
  ascs: { type: 'string' },
  descs: { type: 'string' },
  ids: idList,
  exactTotal: { type: 'boolean' },
  where,
  totals: { type: 'boolean' },
  groups: { type: 'string' },
};

/** JSON Schema of `ListInput`. */
export const ListQuery = Type.Unsafe<ListInput>({ type: 'object', properties: listProperties });

/** One page of rows. Where counting is expensive, `total` is an estimate and `totalExact` false; a request of size 0 counts up to `maxCountedRows`. */
export interface Page<Row> {
  records: Row[];
  total: number;
  totalExact: boolean;
  size: number;
  current: number;
  pages: number;
  /** Totals by field, where the request asks for them; null for a list that is too long. */
  totals?: ColumnTotals | null;
  /** Numbers of rows by the values of the field that the request names, the largest first. */
  groups?: RowGroup[];
  /** Range of a search that is bounded by time, and how far back it has come. */
  searched?: SearchedRange;
}

/** Times between which a list is searched, the latest first; the search has covered everything from `reached` to `to`. */
export interface SearchedRange {
  from: string;
  to: string;
  reached: string;
}

/** Number of rows with one value of a field; null stands for rows without a value. */
export interface RowGroup {
  value: string | null;
  count: number;
}

/** Maximum number of groups in a reply. */
export const maxRowGroups = 100;

/** Sum and average of a column over all matching rows, as decimal numbers in text; money in cents. The sum is absent where only the average has a meaning. */
export interface ColumnTotal {
  sum?: string;
  average: string;
}

/** Totals of the columns of a list by their fields. */
export type ColumnTotals = Record<string, ColumnTotal>;

const total = { type: 'object', required: ['average'], properties: { sum: { type: 'string' }, average: { type: 'string' } } };

const groups = {
  type: 'array',
  items: { type: 'object', required: ['value', 'count'], properties: { value: { type: ['string', 'null'] }, count: { type: 'integer' } } },
};

const time = { type: 'string' };
const searched = { type: 'object', required: ['from', 'to', 'reached'], properties: { from: time, to: time, reached: time } };

/** Builds the JSON Schema of a `Page`. */
export function PageOf<Row extends TSchema>(row: Row): TUnsafe<Page<Static<Row>>> {
  const number = { type: 'integer' };
  const properties = { records: { type: 'array', items: row }, total: number, totalExact: { type: 'boolean' }, size: number, current: number, pages: number };
  const required = Object.keys(properties);
  return Type.Unsafe({
    type: 'object',
    required,
    properties: { ...properties, totals: { type: ['object', 'null'], additionalProperties: total }, groups, searched },
  });
}

/** Declares a paged list of an entity's rows. */
export const list = <E extends Entity>(path: string, rows: E, access: Access, title: LocalizedText) =>
  get(path, { title, access, filterable: rows, input: ListQuery, reply: PageOf(rows.row as E['row']) });

/** Input of a list that answers a tree: sorts and filters. */
const TreeQuery = Type.Unsafe<ListInput>({ type: 'object', properties: { ascs: { type: 'string' }, descs: { type: 'string' }, ids: idList, where } });

/** Declares a list that answers all rows as a forest, or one page if the request names one. Rows whose parent is filtered out are at the top. */
export const tree = <E extends Entity>(path: string, rows: E, access: Access, title: LocalizedText) =>
  get(path, { title, access, filterable: rows, input: TreeQuery, reply: TreeOf(rows.row as E['row']), page: PageOf(rows.row as E['row']) });

/** Input of one level of a lazy tree: the id of the parent row ('0' for the top), sorts and filters. */
const LevelQuery = Type.Unsafe<ListInput>({
  type: 'object',
  properties: { parentId: Id({ title: ['上级', 'Parent'] }), ascs: { type: 'string' }, descs: { type: 'string' }, where },
});

/** Declares a list of the direct children of a row, each with `hasChildren`. A request with filters and without a parent matches rows at every depth. */
export const level = <E extends Entity>(path: string, rows: E, access: Access, title: LocalizedText) =>
  get(path, { title, access, filterable: rows, input: LevelQuery, reply: Type.Array(LazyRowOf(rows)) });

/** Row of a lazy tree. */
export type LazyRow<E extends Entity> = RowOf<E> & { hasChildren: boolean };

function LazyRowOf<E extends Entity>({ row }: E): TUnsafe<LazyRow<E>> {
  const { properties, required = [] }: TSchema & { properties?: object; required?: string[] } = row;
  return Type.Unsafe({ ...row, properties: { ...properties, hasChildren: { type: 'boolean' } }, required: [...required, 'hasChildren'] });
}
