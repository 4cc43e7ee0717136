import { and, type SQL, sql } from 'drizzle-orm';
import type { TSchema } from 'typebox';
import type { Entity } from '#shared/contract';
import { traitsOf } from '#shared/fields';
import { type FoundRecords, searchLimits, searchRecords } from '#shared/record-uses';
import { isEmpty, type Language, localize } from '#shared/text';
import type { Database } from '../../data/database/database.ts';
import { hasId, queryRows } from '../../data/database/rows.ts';
import { hasFullAccess, isHidden, scopeOf, textIn } from '../../data/repository/row-scope.ts';
import { namedTableOf } from '../../data/schema/table.ts';
import { isConcealed, maskedRow } from '../../data/scope/personal-fields.ts';
import { hasPrefix, maxHanTerm, searchableText, termPrefix } from '../../data/search/search-terms.ts';
import { authorize } from '../http/authorize-call.ts';
import { type Route, route } from '../http/route.ts';
import type { Principal } from '../principal/principal.ts';
import type { ReferenceReader, ReferenceReaders } from '../references/reference-reader.ts';
import type { IndexedSource, SearchSources } from './search-sources.ts';

/** Number of terms that are read of each source. */
const maxTerms = 40;
/** Number of terms that are read of a source of which the caller sees only some rows. */
const maxScopedTerms = 2000;
type FoundRow = Readonly<Record<string, unknown>> & { readonly id: string };

interface SearchDeps {
  readonly db: Database;
  readonly sources: SearchSources;
  readonly references: ReferenceReaders;
  readonly routes: () => readonly Route[];
}

/** A search of one caller. */
interface Search {
  readonly text: string;
  readonly principal: Principal;
  readonly language: Language;
  readonly reader: ReferenceReader;
}

/** Serves the search for records. */
export function searchRoutes({ db, sources, references, routes }: SearchDeps): Route[] {
  return [
    route(searchRecords, async ({ input, principal, language }) => {
      const text = searchableText(input.q);
      if (text === '') return [];
      const search: Search = { text, principal, language, reader: references.of(principal, language) };
      const permitted = sources.all.filter((source) => isPermitted(routes(), source, principal));
      return findRecords(db, permitted, search);
    }),
  ];
}

/** Tests whether the caller may list the records and see at least one of the searched fields. */
function isPermitted(routes: readonly Route[], { list, entity, fields }: IndexedSource, principal: Principal): boolean {
  const listing = routes.find(({ call }) => call === list);
  if (!listing || fields.every((field) => isHidden(entity, field))) return false;
  try {
    authorize(listing, principal);
    return true;
  } catch {
    return false;
  }
}

async function findRecords(db: Database, permitted: readonly IndexedSource[], search: Search): Promise<FoundRecords[]> {
  const candidates = await readCandidates(db, permitted, search);
  const groups: FoundRecords[] = [];
  for (const { source, ids } of candidates) {
    if (groups.length === searchLimits.groups) break;
    const rows = await readRows(source, ids, search);
    if (rows.length === 0) continue;
    const shown = rows.slice(0, searchLimits.records);
    const records = await Promise.all(shown.map((row) => resultOf(source, row, search)));
    groups.push({ entity: source.entity.name, menu: source.menu, records, hasMore: rows.length > shown.length });
  }
  return groups;
}

interface Candidates {
  readonly source: IndexedSource;
  readonly ids: readonly string[];
  readonly shortestTermLength: number;
}

/** Reads the first matching terms of each source in one statement; the source with the shortest of them comes first. */
async function readCandidates(db: Database, permitted: readonly IndexedSource[], search: Search): Promise<Candidates[]> {
  if (permitted.length === 0) return [];
  const sourceRows = sql.join(
    permitted.map(
      (source, index) =>
        sql`(${index}::integer, ${source.id}::smallint, ${termTenant(source, search)}::text, ${fieldNumbers(source, 'open')}, ${fieldNumbers(source, 'concealed')})`,
    ),
    sql`, `,
  );
  const found = await queryRows<{ index: number; id: string; length: number }>(
    db,
    sql`select s.index, t.record_id::text as id, length(t.term) as length
        from (values ${sourceRows}) s(index, source, tenant, open_fields, concealed_fields)
        cross join lateral (
          select record_id, term from search_term
          where tenant_id = s.tenant and source = s.source and ${hasPrefix(search.text)} and (field = any(s.open_fields) or (field = any(s.concealed_fields) and term = ${termPrefix(search.text)}))
          order by term, record_id limit ${sql.raw(String(maxTerms))}
        ) t`,
  );
  return permitted
    .map((source, index): Candidates => {
      const terms = found.filter((term) => Number(term.index) === index);
      return { source, ids: [...new Set(terms.map(({ id }) => id))], shortestTermLength: Math.min(...terms.map(({ length }) => Number(length))) };
    })
    .filter(({ ids }) => ids.length > 0)
    .sort((one, other) => one.shortestTermLength - other.shortestTermLength);
}

/** Returns the tenant of a source's terms, which is empty for rows that all tenants share. */
const termTenant = ({ entity }: IndexedSource, { principal }: Search) => (entity.owner === 'platform' ? '' : principal.tenantId);

/** Returns the numbers that the index gives to the searched fields of one kind, without hidden ones. A value of a concealed field is found only by its whole text. */
function fieldNumbers({ entity, fields, columns }: IndexedSource, kind: 'open' | 'concealed'): SQL {
  const numbers = fields
    .filter((field) => !isHidden(entity, field) && isConcealed(entity, field) === (kind === 'concealed'))
    .map((field) => columns.indexOf(field) + 1);
  return sql`${`{${numbers.join(',')}}`}::smallint[]`;
}

/**
 * Reads the rows through the repository of their screen, which applies tenant and data scope. With a data scope the closest terms can all belong to rows that the
 * caller may not see; more terms are then read, and the rows with the closest ones are selected among those that the caller sees.
 */
async function readRows(source: IndexedSource, ids: readonly string[], search: Search): Promise<FoundRow[]> {
  const { entity, repository, where } = source;
  const table = namedTableOf(entity);
  const isFound = hasFullAccess(entity.name)
    ? hasId(table, ids)
    : sql`${table.id} in (select found.record_id from (
        select record_id, term from search_term
        where tenant_id = ${termTenant(source, search)} and source = ${source.id}::smallint and ${hasPrefix(search.text)}
          and (field = any(${fieldNumbers(source, 'open')}) or (field = any(${fieldNumbers(source, 'concealed')}) and term = ${termPrefix(search.text)}))
        order by term, record_id limit ${sql.raw(String(maxScopedTerms))}) found
        join ${table} on ${table.id} = found.record_id where ${and(scopeOf(entity), where?.())}
        group by found.record_id order by min(found.term), found.record_id limit ${sql.raw(String(maxTerms))})`;
  const { records } = await repository.page({ current: 1, size: maxTerms }, and(isFound, where?.()));
  const indexes = new Map(ids.map((id, index) => [id, index]));
  const ranked = (records as FoundRow[]).map((row) => ({ row, rank: rankOf(source, row, search.text), index: indexes.get(row.id) ?? ids.length }));
  return (
    ranked
      // The index holds terms cut short, so that a longer text can find a row that does not contain it.
      .filter(({ rank }) => search.text.length <= maxHanTerm || rank < ranks.pinyin)
      .sort((one, other) => one.rank - other.rank || one.index - other.index)
      .map(({ row }) => row)
  );
}

const ranks = { exact: 0, prefix: 1, substring: 2, pinyin: 3 } as const;

/** Returns the text of a field to compare with the search. It is empty for a concealed value that differs, of which the search must not tell a part. */
function comparedText(entity: Entity, row: FoundRow, field: string, text: string): string {
  const value = searchableText(String(row[field] ?? ''));
  return isConcealed(entity, field) && value !== text ? '' : value;
}

/** Ranks a row by the closest of its values. */
function rankOf({ entity, fields }: IndexedSource, row: FoundRow, text: string): number {
  const values = fields.filter((field) => !isHidden(entity, field)).map((field) => comparedText(entity, row, field, text));
  if (values.includes(text)) return ranks.exact;
  if (values.some((value) => value.startsWith(text))) return ranks.prefix;
  return values.some((value) => value.includes(text)) ? ranks.substring : ranks.pinyin;
}

/** Builds the result for a row from the values that the caller may see. A value that matches is shown even if it is neither title nor subtitle. */
async function resultOf(source: IndexedSource, unmasked: FoundRow, search: Search): Promise<FoundRecords['records'][number]> {
  const { entity, fields, subtitle = [] } = source;
  const row = maskedRow(entity, unmasked);
  const isShown = (field: string) => !isHidden(entity, field) && !isEmpty(row[field]);
  const [first, ...others] = fields.filter(isShown);
  const matching = others.filter((field) => !subtitle.includes(field) && comparedText(entity, unmasked, field, search.text).includes(search.text));
  const shown = [...subtitle.filter((field) => field !== first && isShown(field)), ...matching];
  const details = await Promise.all(shown.map((field) => textOf(entity.fields[field], row, field, search)));
  return {
    id: row.id,
    title: first === undefined ? row.id : textIn(entity, row, first, search.language),
    subtitle: details.filter((text) => text !== '').join(' · '),
    actions: actionsOn(source, row, search),
  };
}

function actionsOn({ actions = {} }: IndexedSource, row: FoundRow, { principal }: Search): string[] {
  return Object.entries(actions)
    .filter(([code, condition]) => principal.codes.has(code) && (condition === true || condition(row as never)))
    .map(([code]) => code);
}

async function textOf(schema: TSchema | undefined, row: FoundRow, field: string, { reader, language }: Search): Promise<string> {
  const traits = schema && traitsOf(schema);
  const value = String(row[field]);
  if (traits?.reference) return (await reader.labelOf(traits, value, row)) ?? '';
  const option = traits?.options?.find(([key]) => String(key) === value);
  return option ? localize(option[1], language) : value;
}
