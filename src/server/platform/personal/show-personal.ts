import { and, eq, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Entity } from '#shared/contract';
import { ApiError, problems } from '#shared/errors';
import { maskedKindOf } from '#shared/fields';
import { showPersonal } from '#shared/personal-data';
import type { Database } from '../../data/database/database.ts';
import { isHidden, visibleRows } from '../../data/repository/row-scope.ts';
import { namedTableOf } from '../../data/schema/table.ts';
import { authorize } from '../http/authorize-call.ts';
import { type Route, route } from '../http/route.ts';
import type { Principal } from '../principal/principal.ts';
import { recordPersonalAccess } from './access-log.ts';

/** Serves the masked values of single records. Each reading is a line of the log of personal data, written in the same transaction. */
export function showPersonalRoutes(db: Database, routes: () => readonly Route[]): Route[] {
  return [
    route(
      showPersonal,
      async ({ input: { entity: name, id, fields: asked }, principal, origin }) => {
        const entity = shownEntity(routes(), name, principal);
        const masked = Object.keys(entity.fields).filter((field) => maskedKindOf(entity.fields[field]) && !isHidden(entity, field));
        const fields = asked ?? masked;
        const unknown = fields.find((field) => !masked.includes(field));
        if (unknown !== undefined) throw new ApiError(problems.wrongParameter, { name: unknown });
        const values = await valuesOf(db, entity, id, fields);
        await recordPersonalAccess(db, { action: 'shown', entity: name, recordId: id, fields, requestId: origin.requestId });
        return { values };
      },
      { noStore: true },
    ),
  ];
}

/** Returns the entity of a list that the caller may read, with the permission to see its masked values. */
function shownEntity(routes: readonly Route[], name: string, principal: Principal): Entity {
  const listings = routes.filter(({ call: { filterable } }) => filterable?.name === name && filterable.personal !== undefined);
  if (listings.length === 0) throw new ApiError(problems.notFound);
  for (const listing of listings) {
    const { filterable } = listing.call;
    if (filterable && principal.codes.has(filterable.personal?.code ?? '') && isAllowed(listing, principal)) return filterable;
  }
  throw new ApiError(problems.forbidden);
}

function isAllowed(listing: Route, principal: Principal): boolean {
  try {
    authorize(listing, principal);
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

async function valuesOf(db: Database, entity: Entity, id: string, fields: readonly string[]): Promise<Record<string, string | null>> {
  const table = namedTableOf(entity);
  const columns = Object.fromEntries(fields.map((field) => [field, table[field] as PgColumn]));
  const [row] = await db.sql
    .select({ ...columns, id: table.id })
    .from(table)
    .where(and(eq(table.id, id), sql`${table.isDeleted} <> 1`, visibleRows(db, entity.name), db.references.restrictionOf(entity.name)));
  if (!row) throw new ApiError(problems.notFound);
  const found = row as Readonly<Record<string, unknown>>;
  return Object.fromEntries(fields.map((field) => [field, found[field] === null ? null : String(found[field])]));
}
