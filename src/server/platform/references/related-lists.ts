import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { TSchema } from 'typebox';
import type { Page } from '#shared/contract';
import { isFilterable } from '#shared/entity';
import { ApiError, problems } from '#shared/errors';
import { maxRelatedCount, type RelatedList, relatedLists } from '#shared/record-uses';
import { rowStates } from '#shared/row-states';
import { isEmpty } from '#shared/text';
import type { Database } from '../../data/database/database.ts';
import type { ReferenceField } from '../../data/database/reference-registry.ts';
import { referringTitle, refersTo } from '../../data/repository/record-uses.ts';
import { isHidden, visibleRows } from '../../data/repository/row-scope.ts';
import { namedTableOf } from '../../data/schema/table.ts';
import { authorize } from '../http/authorize-call.ts';
import { type KernelRequest, type Route, route } from '../http/route.ts';
import { isAllowed, listAuthorizer } from '../preferences/view-routes.ts';

/** Serves the lists that refer to a record, to callers who may see the record. */
export function relatedListRoutes(db: Database, routes: readonly Route[]): Route[] {
  const assertCanList = listAuthorizer(routes);
  return [
    route(relatedLists, async (request) => {
      const { entity: name, id } = request.input;
      const { principal } = request;
      assertCanList(db.references.pageOf(name)?.list ?? '', principal);
      const row = await readRecord(db, name, id);
      const fields = listedFields(db, name, (list) => isAllowed(() => assertCanList(list, principal)));
      const related = await countRelated(
        db,
        fields.filter(({ targetField }) => isVisible(db, name, targetField) && !isEmpty(row[targetField])),
        row,
      );
      return [...related, ...(await declaredLists(db, routes, request))];
    }),
  ];
}

interface ListedField extends ReferenceField, Pick<RelatedList, 'title' | 'menu' | 'list'> {}

/** Returns the fields that refer to an entity and by which the caller can filter a list. */
function listedFields(db: Database, target: string, canList: (list: string) => boolean): ListedField[] {
  const found = new Map<string, ListedField>();
  for (const fields of db.references.fieldsTo(target))
    for (const reference of fields) {
      const { entity, field } = reference;
      const page = db.references.pageOf(entity.name);
      if (page?.list === undefined || !isFilterable(entity, field) || isHidden(entity, field) || !canList(page.list)) continue;
      const title = referringTitle(db, entity, field, fields.filter((one) => one.entity === entity).length > 1);
      found.set(`${page.list} ${field}`, { ...reference, title, menu: page.menu, list: page.list });
    }
  return [...found.values()];
}

/** Returns the lists of references that code declares (`DeclaredReference`) instead of the contract, as far as they can be filtered by one field. */
async function declaredLists(db: Database, routes: readonly Route[], { input, ...request }: KernelRequest<typeof relatedLists>): Promise<RelatedList[]> {
  const found: RelatedList[] = [];
  for (const { rows } of db.references.declaredFor(input.entity)) {
    const { menu, list, conditions = [] } = rows?.(input.id) ?? {};
    const listing = routes.find(({ call }) => call.path === list);
    const [condition] = conditions;
    const entity = listing?.call.filterable;
    if (!menu || !listing || !entity || condition?.operator !== 'equal') continue;
    const { field, value } = condition;
    if (!isFilterable(entity, field) || isHidden(entity, field) || !isAllowed(() => authorize(listing, request.principal))) continue;
    const { total } = (await listing.handler({ ...request, input: { current: 1, size: 0, [`${field}_equal`]: value } })) as Page<unknown>;
    const page = db.references.pageOf(entity.name);
    const title = page && page.list === list ? page.title : listing.call.title;
    found.push({ title, menu, list: listing.call.path, field, value: String(value), count: Math.min(total, maxRelatedCount) });
  }
  return found;
}

/** Tests whether the caller may see the referenced value, because the reply contains it. */
function isVisible(db: Database, target: string, field: string): boolean {
  const entity = db.entities.get(target);
  return entity !== undefined && !isHidden(entity, field);
}

async function readRecord(db: Database, name: string, id: string): Promise<Readonly<Record<string, unknown>>> {
  const entity = db.entities.get(name);
  if (!entity) throw new ApiError(problems.notFound);
  const table = namedTableOf(entity);
  const isPresent = sql`${table.isDeleted} <> ${sql.raw(String(rowStates.deleted))}`;
  const [row] = await db.sql
    .select()
    .from(table)
    .where(and(eq(table.id, id), isPresent, visibleRows(db, name), db.references.restrictionOf(name)));
  if (!row) throw new ApiError(problems.notFound);
  return row;
}

/** Counts the rows of all lists in one statement. */
async function countRelated(db: Database, fields: readonly ListedField[], row: Readonly<Record<string, unknown>>): Promise<RelatedList[]> {
  if (fields.length === 0) return [];
  const counts = fields.map((field, index) => sql`(select count(*)::integer from ${matching(db, field, row)} related) as ${sql.raw(`related_${index}`)}`);
  const [found] = await db.sql.execute<Record<string, number>>(sql`select ${sql.join(counts, sql`, `)}`);
  return fields.map(({ entity, title, menu, list, field, targetField }, index) => ({
    title,
    menu,
    list,
    field,
    value: String(row[targetField]),
    ...(entity.relatedFilter ? { filter: { ...entity.relatedFilter } } : {}),
    count: Number(found?.[`related_${index}`] ?? 0),
  }));
}

function matching(db: Database, { entity, field, targetField }: ReferenceField, row: Readonly<Record<string, unknown>>): SQL {
  const table = namedTableOf(entity);
  const refers = refersTo(table[field] as PgColumn, entity.fields[field] as TSchema, [String(row[targetField])]);
  const filters = Object.entries(entity.relatedFilter ?? {}).map(([name, value]) => eq(table[name] as PgColumn, value));
  const where = and(sql`${table.isDeleted} = 0`, refers, ...filters, visibleRows(db, entity.name), db.references.restrictionOf(entity.name));
  return sql`(select from ${table} where ${where} limit ${sql.raw(String(maxRelatedCount))})`;
}
