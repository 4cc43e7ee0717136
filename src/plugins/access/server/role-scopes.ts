import { sql } from 'drizzle-orm';
import { boundOf, type Database, hasId, idArray, invalidatePrincipals, isAdministrator, type Principal, queryRows, rulesOf, treeOf } from '#server';
import type { Branch } from '#shared/contract';
import { readCondition, type ScopeCondition } from '#shared/scopes';
import { type Language, localize } from '#shared/text';
import type { GrantNode } from '../contract.ts';
import { changedGrants, lockRole, menus, type RequestedGrants, rebase, recordGrants } from './grants.ts';

type ScopeKind = 'data' | 'api';

const kinds = {
  data: { category: 1, field: 'dataScopes', table: sql`data_scope`, entity: sql`coalesce(nullif(s.scope_class, ''), m.code)` },
  api: { category: 2, field: 'apiScopes', table: sql`api_scope`, entity: sql`null` },
} as const;

interface GrantableScope {
  readonly id: string;
  readonly menuId: string;
  readonly name: string;
  readonly entity: string | null;
}

/** Returns the scopes the user may grant: their own, and any scope of rows they see without limit. The administrator may grant all. */
async function grantableScopes(db: Database, principal: Principal, kind: ScopeKind): Promise<GrantableScope[]> {
  const { category, table, entity } = kinds[kind];
  const rows = await queryRows<GrantableScope & { isOwn: boolean }>(
    db,
    sql`select s.id::text as id, s.menu_id::text as "menuId", s.scope_name as name, ${entity} as entity,
          exists (select 1 from role_scope rs where rs.scope_category = ${category} and rs.scope_id = s.id and rs.role_id = any(${idArray(principal.roleIds)})) as "isOwn"
        from ${table} s join menu m on m.id = s.menu_id and m.is_deleted = 0 where s.is_deleted = 0 order by s.id`,
  );
  const hasFullAccess = ({ entity: name }: GrantableScope) => kind === 'data' && principal.dataScopes?.has(name ?? '') !== true;
  return rows.filter((row) => isAdministrator(principal.roles) || row.isOwn || hasFullAccess(row));
}

/** Returns the ids of scopes granted to roles. */
export async function scopesOf(db: Database, roleIds: readonly string[], kind: ScopeKind): Promise<string[]> {
  const { category, table } = kinds[kind];
  const rows = await queryRows<{ id: string }>(
    db,
    sql`select distinct rs.scope_id::text as id from role_scope rs join ${table} s on s.id = rs.scope_id and s.is_deleted = 0
        where rs.scope_category = ${category} and rs.role_id = any(${idArray(roleIds)})`,
  );
  return rows.map(({ id }) => id);
}

/** Replaces the scopes of one kind of a role, or applies the changes since `base`; those the caller cannot grant stay unchanged. */
export async function setScopes(
  db: Database,
  principal: Principal,
  { roleId, kind, ids, base }: RequestedGrants & { roleId: string; kind: ScopeKind },
): Promise<void> {
  await lockRole(db, principal, roleId);
  const grantable = await grantableScopes(db, principal, kind);
  const granted = await scopesOf(db, [roleId], kind);
  const { addedIds, removedIds } = changedGrants({
    requested: rebase(ids, { base, granted }),
    granted,
    grantable: new Set(grantable.map(({ id }) => id)),
  });
  const { category, field } = kinds[kind];
  await queryRows(
    db,
    sql`delete from role_scope where role_id = ${roleId}::bigint and scope_category = ${category} and scope_id = any(${idArray(removedIds)})`,
  );
  await grantScopes(db, roleId, category, addedIds);
  recordGrants(roleId, field, { entries: grantable, addedIds, removedIds });
  await invalidatePrincipals(db, { roleId });
}

/**
 * Limits a role to the rows its granter sees: for each entity the granter sees in part, the role gets the granter's scopes unless it has others, or a rule that stays within these
 * rows where the granter is limited by rules.
 */
export async function restrictToGranter(db: Database, principal: Principal, roleId: string): Promise<void> {
  if (!principal.dataScopes?.size) return;
  const has = new Set(await scopesOf(db, [roleId], 'data'));
  const own = new Set(await scopesOf(db, principal.roleIds, 'data'));
  const all = await grantableScopes(db, principal, 'data');
  const ruled = new Set((await rulesOf(db, { roleIds: [roleId] })).map(({ entity }) => entity));
  const ownRuled = new Set((await rulesOf(db, principal)).map(({ entity }) => entity));
  for (const [entity, { parts }] of principal.dataScopes) {
    const ofEntity = all.filter((scope) => scope.entity === entity);
    if (ruled.has(entity) || ofEntity.some(({ id }) => has.has(id))) continue;
    if (parts && ownRuled.has(entity)) {
      await limitRole(db, roleId, { entity, bound: boundOf(parts, principal) });
      continue;
    }
    const addedIds = ofEntity.map(({ id }) => id).filter((id) => own.has(id));
    await grantScopes(db, roleId, kinds.data.category, addedIds);
    recordGrants(roleId, kinds.data.field, { entries: ofEntity, addedIds, removedIds: [] });
  }
}

/** Lets a role show all rows within a bound. */
async function limitRole(db: Database, roleId: string, { entity, bound }: { readonly entity: string; readonly bound: ScopeCondition }): Promise<void> {
  await queryRows(
    db,
    sql`insert into scope_rule (role_id, entity, scope_type, bound) values (${roleId}::bigint, ${entity}, 1, ${JSON.stringify(bound)}::jsonb)`,
  );
}

/** Gives a role the rules of another, within the rows that the caller sees. */
export async function copyRules(db: Database, principal: Principal, { from, to }: { readonly from: string; readonly to: string }): Promise<void> {
  for (const { entity, type, condition, bound } of await rulesOf(db, { roleIds: [from] })) {
    const parts = principal.dataScopes?.get(entity)?.parts;
    const limits = [readCondition(bound), parts && boundOf(parts, principal)].filter((limit) => limit !== undefined);
    const json = (value: unknown) => (value === null || value === undefined ? null : JSON.stringify(value));
    await queryRows(
      db,
      sql`insert into scope_rule (role_id, entity, scope_type, condition, bound)
          values (${to}::bigint, ${entity}, ${type}, ${json(condition)}::jsonb, ${json(limits.length > 0 ? { all: limits } : null)}::jsonb)`,
    );
  }
}

/** Returns scopes below their pages, for a picker. */
export async function scopeTree(db: Database, principal: Principal, { kind, language }: { kind: ScopeKind; language: Language }): Promise<Branch<GrantNode>[]> {
  const scopes = await grantableScopes(db, principal, kind);
  const { id, name, nameEn, sort } = menus;
  const pageIds = new Set(scopes.map(({ menuId }) => menuId));
  const pages = await db.sql.select({ id, name, nameEn }).from(menus).where(hasId(menus, pageIds)).orderBy(sort, id);
  const node = (id: string, parentId: string, title: string, category: number) => ({ id, parentId, title, category, value: id, key: id });
  return treeOf([
    ...pages.map(({ id, name, nameEn }) => node(id, '0', localize([name, nameEn || name], language), 1)),
    ...scopes.map(({ id, menuId, name }) => node(id, menuId, name, 2)),
  ]);
}

async function grantScopes(db: Database, roleId: string, category: number, ids: Iterable<string>): Promise<void> {
  await queryRows(
    db,
    sql`insert into role_scope (role_id, scope_category, scope_id) select ${roleId}::bigint, ${category}, unnest(${idArray(ids)}) on conflict do nothing`,
  );
}
