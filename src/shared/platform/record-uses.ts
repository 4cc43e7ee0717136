import * as Type from 'typebox';
import { get } from '../contract/contract.ts';
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

/** Returns the titles of archived rows to a reference field that no picker offers them to; other rows are left out. */
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
