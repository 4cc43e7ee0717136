import { or, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../data/database/database.ts';
import { canSeeField } from '../../data/repository/row-scope.ts';
import { isMasked } from '../../data/scope/personal-fields.ts';
import { containsText, type TypedCondition, type TypedTable, typedColumn, typedMatches } from '../../data/search/typed-matches.ts';

/** Table and fields in which a query searches for a text that a user has typed. */
export interface TypedSearch extends TypedTable {
  /** Fields of the entity; those that the caller may not see are left out. */
  readonly fields: readonly string[];
  readonly text: string;
  /** Number of rows that the query returns at most. */
  readonly limit: number;
}

/** Tests whether the values of a field are masked. Masked values are not searched, so that a search cannot reveal them. */
function isMaskedIn(db: Database, name: string, field: string): boolean {
  const entity = db.entities.get(name);
  return entity !== undefined && isMasked(entity, field);
}

/**
 * Runs a hand-written query with the condition that a field of the row contains the typed text, as its text, its pinyin or its initials. If the index of search terms finds
 * nothing, the query runs again and compares the fields of all rows.
 */
export async function findTyped<Row>(db: Database, { fields, text, limit, ...table }: TypedSearch, query: (isFound: SQL) => Promise<Row[]>): Promise<Row[]> {
  const trimmed = text.trim();
  if (trimmed === '') return query(sql`true`);
  const isSearchable = (field: string) => canSeeField(table.entity, field) && !isMaskedIn(db, table.entity, field);
  const typed = fields.filter(isSearchable).map((field) => ({ field, text: trimmed }));
  const matches = await typedMatches(db, table, typed);
  const find = (condition?: TypedCondition) =>
    query(or(sql`false`, ...typed.map((one) => condition?.(one) ?? containsText(typedColumn(table, one.field), trimmed))) as SQL);
  let found = await find(matches.closest);
  if (matches.hasMore && found.length < limit) found = await find(matches.all);
  return found.length > 0 || matches.isExhaustive ? found : find();
}
