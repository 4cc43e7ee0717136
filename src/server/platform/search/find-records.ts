import { and, type SQL, sql } from 'drizzle-orm';
import type { TSchema } from 'typebox';
import type { Entity } from '#shared/contract';
import { traitsOf } from '#shared/fields';
import { type FoundRecords, searchLimits, searchRecords } from '#shared/record-uses';
import { isEmpty, type Language, localize } from '#shared/text';
import type { Database } from '../../data/database/database.ts';
import { hasId, queryRows } from '../../data/database/rows.ts';
import { hasFullAccess, isHidden, textIn } from '../../data/repository/row-scope.ts';
import { namedTableOf } from '../../data/schema/table.ts';
import { isConcealed, maskedRow } from '../../data/scope/personal-fields.ts';
import { hasPrefix, maxHanTerm, searchableText, termPrefix } from '../../data/search/search-terms.ts';
import { authorize } from '../http/authorize-call.ts';
import { type Route, route } from '../http/route.ts';
import type { Principal } from '../principal/principal.ts';
import type { ReferenceReader, ReferenceReaders } from '../references/reference-reader.ts';
import type { IndexedSource, SearchSources } from './search-sources.ts';

/** Terms read of each source, and of a source of which the caller sees a part only. */
const termsRead = 40;
const scopedTermsRead = 2000;
type Row = Readonly<Record<string, unknown>> & { readonly id: string };

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

/** Tests whether the caller may list the records, in full and with at least one searched field. */
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
    const records = await Promise.all(shown.map((row) => describe(source, row, search)));
    groups.push({ entity: source.entity.name, menu: source.menu, records, hasMore: rows.length > shown.length });
  }
  return groups;
}

interface Candidates {
  readonly source: IndexedSource;
  readonly ids: readonly string[];
  readonly shortest: number;
}

/** Reads the first terms of each source by one statement; the source with the closest term comes first. */
async function readCandidates(db: Database, permitted: readonly IndexedSource[], search: Search): Promise<Candidates[]> {
  if (permitted.length === 0) return [];
  const asked = sql.join(
    permitted.map(
      (source, place) =>
        sql`(${place}::integer, ${source.id}::smallint, ${ownerOf(source, search)}::text, ${numbersOf(source, isOpen)}, ${numbersOf(source, isConcealed)})`,
    ),
    sql`, `,
  );
  const found = await queryRows<{ place: number; id: string; length: number }>(
    db,
    sql`select s.place, t.record_id::text as id, length(t.term) as length
        from (values ${asked}) s(place, source, tenant, fields, whole)
        cross join lateral (
          select record_id, term from search_term
          where tenant_id = s.tenant and source = s.source and ${hasPrefix(search.text)} and (field = any(s.fields) or (field = any(s.whole) and term = ${termPrefix(search.text)}))
          order by term, record_id limit ${sql.raw(String(termsRead))}
        ) t`,
  );
  return permitted
    .map((source, place): Candidates => {
      const own = found.filter((one) => Number(one.place) === place);
      return { source, ids: [...new Set(own.map(({ id }) => id))], shortest: Math.min(...own.map(({ length }) => Number(length))) };
    })
    .filter(({ ids }) => ids.length > 0)
    .sort((one, other) => one.shortest - other.shortest);
}

const ownerOf = ({ entity }: IndexedSource, { principal }: Search) => (entity.owner === 'platform' ? '' : principal.tenantId);

const isOpen = (entity: Entity, field: string) => !isConcealed(entity, field);

/** Returns the numbers of the searched fields that the caller may see, and of which `test` holds. Masked values are found as a whole only. */
function numbersOf({ entity, fields, columns }: IndexedSource, test: (entity: Entity, field: string) => boolean): SQL {
  const numbers = fields.filter((field) => !isHidden(entity, field) && test(entity, field)).map((field) => columns.indexOf(field) + 1);
  return sql`${`{${numbers.join(',')}}`}::smallint[]`;
}

/** Reads the rows through the repository of their screen, which applies tenant, data scope and the conditions of its list. */
async function readRows(source: IndexedSource, ids: readonly string[], search: Search): Promise<Row[]> {
  const { entity, repository, where } = source;
  const id = namedTableOf(entity).id;
  const isFound = hasFullAccess(entity.name)
    ? hasId({ id }, ids)
    : sql`${id} in (select record_id from (
        select record_id from search_term
        where tenant_id = ${ownerOf(source, search)} and source = ${source.id}::smallint and ${hasPrefix(search.text)}
          and (field = any(${numbersOf(source, isOpen)}) or (field = any(${numbersOf(source, isConcealed)}) and term = ${termPrefix(search.text)}))
        order by term, record_id limit ${sql.raw(String(scopedTermsRead))}) found)`;
  const { records } = await repository.page({ current: 1, size: termsRead }, and(isFound, where?.()));
  const place = new Map(ids.map((one, index) => [one, index]));
  const ranked = (records as unknown as Row[]).map((row) => ({ row, rank: rankOf(source, row, search.text), place: place.get(row.id) ?? ids.length }));
  return ranked
    .filter(({ rank }) => search.text.length <= maxHanTerm || rank < ranks.pinyin)
    .sort((one, other) => one.rank - other.rank || one.place - other.place)
    .map(({ row }) => row);
}

const ranks = { same: 0, beginning: 1, within: 2, pinyin: 3 } as const;

/** Returns the text of a field that is compared with the searched one: nothing of a masked value that differs from it. */
function comparedText(entity: Entity, row: Row, field: string, text: string): string {
  const value = searchableText(String(row[field] ?? ''));
  return isConcealed(entity, field) && value !== text ? '' : value;
}

/** Ranks a row by the closest of its values. */
function rankOf({ entity, fields }: IndexedSource, row: Row, text: string): number {
  const values = fields.filter((field) => !isHidden(entity, field)).map((field) => comparedText(entity, row, field, text));
  if (values.includes(text)) return ranks.same;
  if (values.some((value) => value.startsWith(text))) return ranks.beginning;
  return values.some((value) => value.includes(text)) ? ranks.within : ranks.pinyin;
}

/** Describes a row by what the caller may see of it. The value that matches is shown also if it is neither title nor subtitle. */
async function describe(source: IndexedSource, found: Row, search: Search): Promise<FoundRecords['records'][number]> {
  const { entity, fields, subtitle = [] } = source;
  const row = maskedRow(entity, found);
  const isShown = (field: string) => !isHidden(entity, field) && !isEmpty(row[field]);
  const [first, ...others] = fields.filter(isShown);
  const matching = others.filter((field) => !subtitle.includes(field) && comparedText(entity, found, field, search.text).includes(search.text));
  const shown = [...subtitle.filter((field) => field !== first && isShown(field)), ...matching];
  const details = await Promise.all(shown.map((field) => textOf(entity.fields[field], row, field, search)));
  return {
    id: row.id,
    title: first === undefined ? row.id : textIn(entity, row, first, search.language),
    subtitle: details.filter((text) => text !== '').join(' · '),
    actions: actionsOn(source, row, search),
  };
}

function actionsOn({ actions = {} }: IndexedSource, row: Row, { principal }: Search): string[] {
  return Object.entries(actions)
    .filter(([code, isOffered]) => principal.codes.has(code) && (isOffered === true || isOffered(row as never)))
    .map(([code]) => code);
}

async function textOf(schema: TSchema | undefined, row: Row, field: string, { reader, language }: Search): Promise<string> {
  const traits = schema && traitsOf(schema);
  const value = String(row[field]);
  if (traits?.reference) return (await reader.labelOf(traits, value, row)) ?? '';
  const option = traits?.options?.find(([key]) => String(key) === value);
  return option ? localize(option[1], language) : value;
}
