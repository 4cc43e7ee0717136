import { and, or, type SQL, sql } from 'drizzle-orm';
import { snakeCase } from '#shared/text';
import type { Database, TermIndex } from '../database/database.ts';
import { queryRows } from '../database/rows.ts';
import { hasPrefix, searchableText, termPrefix } from './search-terms.ts';

/** Rows up to which a table is also read for text inside of words, which has no terms. */
const scannedRows = sql.raw('20000');
/** Terms, the closest first, among which rows are searched before all terms are. */
const closestTerms = sql.raw('20000');

/** Text that a user has typed to find a row by one of its fields. */
export interface TypedText {
  readonly field: string;
  readonly text: string;
}

/** Returns the condition of a typed text; undefined if only a comparison with the field finds it. */
export type TypedCondition = (typed: TypedText) => SQL | undefined;

/** Conditions of typed texts. */
export interface TypedMatches {
  /** Conditions for the rows with the closest terms. */
  readonly closest: TypedCondition;
  /** Conditions for the rows with any of the terms. */
  readonly all: TypedCondition;
  /** True if there are more terms than the closest ones. */
  readonly hasMore: boolean;
  /** True if the conditions also find text inside of words. */
  readonly isExhaustive: boolean;
}

/** Table in whose rows typed text is found. */
export interface TypedTable {
  /** Name of the entity. */
  readonly entity: string;
  /** Alias of its table in the statement. */
  readonly as: string;
}

/** Finds typed texts in the search terms: literally, by pinyin and by initials. With `reads` the rows themselves are read, too, whatever that costs. */
export async function typedMatches(db: Database, table: TypedTable, typed: readonly TypedText[], { reads = false } = {}): Promise<TypedMatches> {
  const matches = new Map<string, TermMatch>();
  for (const one of typed) {
    const match = await termMatch(db, table, one, reads);
    if (match) matches.set(keyOf(one), match);
  }
  const found = [...matches.values()];
  return {
    closest: (one) => matches.get(keyOf(one))?.closest,
    all: (one) => matches.get(keyOf(one))?.all,
    hasMore: found.some(({ hasMore }) => hasMore),
    isExhaustive: found.every(({ isExhaustive }) => isExhaustive),
  };
}

const keyOf = ({ field, text }: TypedText) => JSON.stringify([field, text]);

/** Tests whether a text contains another one, regardless of case. */
export const containsText = (value: SQL, text: string): SQL => sql`${value} ilike ${`%${text.replace(/[\\%_]/g, '\\$&')}%`}`;

/** Column of a field. */
export const typedColumn = ({ as }: TypedTable, field: string) => sql`${sql.identifier(as)}.${sql.identifier(snakeCase(field))}`;

interface TermMatch {
  readonly closest: SQL;
  readonly all: SQL;
  readonly hasMore: boolean;
  readonly isExhaustive: boolean;
}

async function termMatch(db: Database, table: TypedTable, { field, text }: TypedText, reads: boolean): Promise<TermMatch | undefined> {
  const index = db.termIndexes.get(table.entity);
  const prepared = searchableText(text);
  const terms = index && termsOf(db, index, field, prepared);
  if (!terms || prepared === '') return undefined;
  const { hasMore, isSmall, isPending } = await probe(db, table.entity, index.source, terms);
  const id = typedColumn(table, 'id');
  const isContained = containsText(typedColumn(table, field), text);
  const isExhaustive = isSmall || isPending || reads;
  const complete = (isFound: SQL): SQL => {
    if (isExhaustive) return or(isFound, isContained) as SQL;
    // Terms are shorter than a long text.
    return termPrefix(prepared) === prepared ? isFound : (and(isFound, isContained) as SQL);
  };
  // PostgreSQL reads the rows of an array by the primary key, whatever it estimates about the terms.
  const closest = sql`${id} = any(array(select record_id ${terms} order by term, record_id limit ${closestTerms}))`;
  return { closest: complete(closest), all: complete(sql`${id} in (select record_id ${terms})`), hasMore, isExhaustive };
}

/** Selects the terms of a field that begin with the text, in the tenant of the current work. Work on all tenants has no terms, because each tenant has its own. */
function termsOf(db: Database, { source, fields, isShared }: TermIndex, field: string, prepared: string): SQL | undefined {
  const number = fields.indexOf(field) + 1;
  const tenantId = isShared ? '' : db.tenantId;
  if (number === 0 || tenantId === undefined) return undefined;
  return sql`from search_term where tenant_id = ${tenantId} and source = ${source}::smallint and field = ${number}::smallint and ${hasPrefix(prepared)}`;
}

/** Reads whether there are more terms than the closest ones, and whether the table is small or has rows without terms. */
async function probe(db: Database, entity: string, source: number, terms: SQL) {
  const [found] = await queryRows<{ more: boolean; small: boolean; pending: boolean }>(
    db,
    sql`select exists (select ${terms} offset ${closestTerms} limit 1) as more,
          not exists (select from ${sql.identifier(entity)} where is_deleted = 0 offset ${scannedRows} limit 1) as small,
          has_pending_terms(${source}::smallint) as pending`,
  );
  return { hasMore: found?.more === true, isSmall: found?.small === true, isPending: found?.pending === true };
}
