import type { Static } from 'typebox';
import * as Type from 'typebox';
import { get } from '../contract/contract.ts';
import { Id } from '../contract/fields.ts';
import type { LocalizedText } from '../text/text.ts';
import type { FigureRows } from './figures.ts';

/** Records of one type that refer to a record, counted up to 10,001. */
export interface RecordUse {
  readonly title: LocalizedText;
  readonly count: number;
  /** List of these records, where their page has a filter for them. */
  readonly rows?: FigureRows;
}

/** `data` of the error for a deletion that is refused because the records are in use. */
export interface InUseData {
  readonly uses: readonly RecordUse[];
}

const Name = Type.String({ minLength: 1, maxLength: 64 });

/** Returns the titles of the archived rows that a reference field holds, because no picker offers them; other rows are left out. */
export const archivedNames = get('/api/blade-system/archived-names', {
  title: ['已归档数据的名称', 'Names of archived records'],
  access: 'signedIn',
  input: Type.Object({
    entity: Name,
    /** Field whose value is stored. */
    field: Name,
    /** Name of the reference's title. */
    title: Name,
    /** At most 200 values, separated by commas. */
    values: Type.String({ minLength: 1, maxLength: 20_000 }),
  }),
  reply: Type.Array(Type.Object({ value: Type.String(), title: Type.String() })),
});

/** Minimum and maximum length of a search text, and maximum number of records per type and of types in a reply. */
export const searchLimits = { minLength: 1, maxLength: 100, records: 5, groups: 6 } as const;

const FoundRecord = Type.Object({
  id: Type.String(),
  title: Type.String(),
  subtitle: Type.String(),
  /** Codes of the actions that the caller may use on the record. */
  actions: Type.Array(Type.String()),
});
const FoundRecords = Type.Object({
  entity: Type.String(),
  /** Code of the page that lists these records. */
  menu: Type.String(),
  /** Best matches first; `hasMore` is true if the search has found more of them. */
  records: Type.Array(FoundRecord),
  hasMore: Type.Boolean(),
});

/** Records of one type that a search has found. */
export type FoundRecords = Static<typeof FoundRecords>;

/** Finds records of every page of the caller by the beginning of a word, number or Chinese text, or by pinyin; the type with the best match comes first. */
export const searchRecords = get('/api/things-system/search', {
  title: ['搜索数据', 'Search records'],
  access: 'signedIn',
  mayLag: true,
  input: Type.Object({ q: Type.String({ minLength: searchLimits.minLength, maxLength: searchLimits.maxLength }) }),
  reply: Type.Array(FoundRecords),
});

/** A list whose rows refer to a record by one field; the caller may request it. */
export interface RelatedList {
  title: LocalizedText;
  /** Page with the list. */
  menu: string;
  /** Path of the list call. */
  list: string;
  /** Field that refers to the record, and its value. */
  field: string;
  value: string;
  /** Additional filter of the list, such as the rows of one account. */
  filter?: Record<string, string | number>;
  /** Number of rows that the caller may see; at most `maxRelatedCount`. */
  count: number;
}

/** Number up to which related rows are counted. */
export const maxRelatedCount = 1000;

/** Returns the lists whose rows refer to a record, derived from the references of all entities and restricted to what the caller may see. */
export const relatedLists = get('/api/blade-system/related-lists', {
  title: ['关联数据', 'Related lists'],
  access: 'signedIn',
  input: Type.Object({ entity: Name, id: Id() }),
  reply: Type.Array(
    Type.Unsafe<RelatedList>({
      type: 'object',
      required: ['title', 'menu', 'list', 'field', 'value', 'count'],
      properties: {
        title: { type: 'array', items: { type: 'string' } },
        menu: { type: 'string' },
        list: { type: 'string' },
        field: { type: 'string' },
        value: { type: 'string' },
        filter: { type: 'object', additionalProperties: { type: ['string', 'number'] } },
        count: { type: 'integer' },
      },
    }),
  ),
});
