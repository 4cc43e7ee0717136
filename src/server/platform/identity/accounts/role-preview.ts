import { type SQL, sql } from 'drizzle-orm';
import { ApiError, problems } from '#shared/errors';
import { previewProblems } from '#shared/role-preview';
import type { RowScope } from '../../../data/context/actor.ts';
import { recordChange } from '../../../data/context/changes.ts';
import type { Database } from '../../../data/database/database.ts';
import { queryRows } from '../../../data/database/rows.ts';
import { intersectScopes } from '../../../data/repository/row-scope.ts';
import { grantableRoles, roleNameIn } from '../../permission/grantable-roles.ts';
import type { Principal } from '../../principal/principal.ts';
import { invalidatePrincipals } from '../../principal/principal-cache.ts';
import type { Account } from './accounts.ts';

/** The existing roles of a preview, at the same index in each of the lists. */
export type PreviewedRoles = Pick<Account, 'roleIds' | 'roles' | 'roleNames' | 'roleNamesEn'>;

const aggregated = (column: SQL) => sql`coalesce(json_agg(${column} order by r.sort, r.id), '[]')`;

/** Selects the roles previewed in session `s`; null without a preview. */
export const previewedRoles = sql`case when s.preview_role_ids is not null then (
  select json_build_object('roleIds', ${aggregated(sql`r.id::text`)}, 'roles', ${aggregated(sql`r.role_alias`)},
    'roleNames', ${aggregated(roleNameIn('zh'))}, 'roleNamesEn', ${aggregated(roleNameIn('en'))})
  from role r where r.id = any(s.preview_role_ids) and r.is_deleted <> 1
) end`;

/** Returns the account with other roles; drops administrator roles the account itself could not grant. */
export function withPreviewedRoles(own: Account, { roleIds, roles, roleNames, roleNamesEn }: PreviewedRoles): Account {
  const requiredAliases: Readonly<Record<string, readonly string[]>> = { administrator: ['administrator'], admin: ['administrator', 'admin'] };
  const isAllowed = roles.map((alias) => requiredAliases[alias]?.some((needed) => own.roles.includes(needed)) ?? true);
  const allowedOf = (list: readonly string[]) => list.filter((_, index) => isAllowed[index]);
  return { ...own, roleIds: allowedOf(roleIds), roles: allowedOf(roles), roleNames: allowedOf(roleNames), roleNamesEn: allowedOf(roleNamesEn) };
}

/** Restricts a principal of other roles to the permissions of the user's own principal. */
export function intersectPrincipals(own: Principal, other: Principal): Principal {
  const mayCall = (addresses: readonly string[]) => own.mayCall?.(addresses) !== false && other.mayCall?.(addresses) !== false;
  return {
    ...other,
    codes: new Set([...other.codes].filter((code) => own.codes.has(code))),
    dataScopes: scopesWithin(own.dataScopes ?? new Map(), other.dataScopes ?? new Map()),
    mayCall,
    preview: { roleIds: own.roleIds },
  };
}

function scopesWithin(own: ReadonlyMap<string, RowScope>, other: ReadonlyMap<string, RowScope>): ReadonlyMap<string, RowScope> {
  const all = new Map([...other, ...own]);
  for (const [entity, scope] of other) {
    const limit = own.get(entity);
    if (limit) all.set(entity, intersectScopes(limit, scope));
  }
  return all;
}

/** Starts a preview of roles the caller could grant, on every replica, until it is ended. */
export async function beginPreview(db: Database, principal: Principal, roleIds: readonly string[]): Promise<void> {
  const wanted = new Set(roleIds);
  const roles = (await grantableRoles(db, principal.roleIds)).filter(({ id }) => wanted.has(id));
  if (roles.length !== wanted.size) throw new ApiError(problems.notFound, {}, { field: 'roleIds' });
  if (roles.some(({ isGrantable }) => !isGrantable)) throw new ApiError(previewProblems.beyond, {}, { field: 'roleIds' });
  await preview(db, principal, [...wanted]);
  recordChange({ entity: 'role_preview', id: principal.userId, before: undefined, after: { roleIds: [...wanted], roleNames: roles.map(({ name }) => name) } });
}

/** Ends the preview, so that the caller's own roles apply again. */
export async function endPreview(db: Database, principal: Principal): Promise<void> {
  if (!principal.preview) return;
  await preview(db, principal, undefined);
  recordChange({ entity: 'role_preview', id: principal.userId, before: { roleIds: principal.roleIds }, after: undefined });
}

async function preview(db: Database, { sessionId }: Principal, roleIds: readonly string[] | undefined): Promise<void> {
  await queryRows(db, sql`update session set preview_role_ids = ${roleIds ? `{${roleIds.join(',')}}` : null}::bigint[] where id = ${sessionId}::uuid`);
  await invalidatePrincipals(db, { sessionId });
}
