import { and, eq, sql } from 'drizzle-orm';
import {
  ApiError,
  type Database,
  hasId,
  idArray,
  invalidatePrincipals,
  isActive,
  isAdministrator,
  isNotDeleted,
  type Principal,
  problems,
  queryRows,
  recordChange,
  tableOf,
  treeOf,
} from '#server';
import type { Branch } from '#shared/contract';
import { menuGroups } from '#shared/menu-groups';
import { type Language, localize } from '#shared/text';
import { administratorAlias, type GrantNode, Menu, Role, roleProblems, tenantAdministratorAlias } from '../contract.ts';

export const menus = tableOf(Menu);
const roles = tableOf(Role);

/** Tests whether a user can change roles with this alias. No user can change the administrator role; tenant administrator roles can be changed by administrators and tenant administrators. */
export const canChangeRole = (principal: Pick<Principal, 'roles'>, alias: string): boolean =>
  alias !== administratorAlias &&
  (alias !== tenantAdministratorAlias || isAdministrator(principal.roles) || principal.roles.includes(tenantAdministratorAlias));

/** Returns the ids of menu entries that the user may grant: all for the administrator, otherwise those of their own roles. */
export async function grantableMenus(db: Database, principal: Principal): Promise<ReadonlySet<string>> {
  return new Set((await grantableRows(db, principal)).map(({ id }) => id));
}

/** Returns the entries that the user may grant as a tree. An entry whose parent cannot be granted is at the top. */
export async function grantableTree(db: Database, principal: Principal, language: Language): Promise<Branch<GrantNode>[]> {
  const rows = await grantableRows(db, principal);
  return treeOf(
    rows.map(({ id, parentId, category, name, nameEn }) => ({ id, parentId, category, title: localize([name, nameEn || name], language), value: id, key: id })),
  );
}

/** Menu groups are left out when no page below them can be granted. */
const groupCodes: ReadonlySet<string> = new Set(Object.keys(menuGroups));

/** Reads the menu entries that the user may grant. Entries outside of the tenant's package and of disabled plugins are left out, because the user's codes do not contain them. */
export async function grantableRows(db: Database, principal: Principal) {
  const isOwn = sql`${menus.id} in (select rm.menu_id from role_menu rm where rm.role_id = any(${idArray(principal.roleIds)}))`;
  const { id, parentId, code, name, nameEn, category, sort } = menus;
  const rows = await db.sql
    .select({ id, parentId, code, name, nameEn, category })
    .from(menus)
    .where(and(isActive(menus), isAdministrator(principal.roles) ? undefined : isOwn))
    .orderBy(sort, id);
  const usableRows = rows.filter(({ code }) => principal.codes.has(code));
  const parents = new Set(usableRows.map(({ parentId }) => parentId));
  return usableRows.filter(({ id, code }) => !groupCodes.has(code) || parents.has(id));
}

/** Returns the ids of menu entries granted to roles. */
export async function menusOf(db: Database, roleIds: readonly string[]): Promise<string[]> {
  const rows = await queryRows<{ id: string }>(
    db,
    sql`select distinct rm.menu_id::text as id from role_menu rm join menu m on m.id = rm.menu_id and m.is_deleted = 0 where rm.role_id = any(${idArray(roleIds)})`,
  );
  return rows.map(({ id }) => id);
}

/** Replaces the menu entries of a role, or applies the changes since `base`; entries the caller cannot grant stay unchanged. */
export async function setMenus(db: Database, principal: Principal, roleId: string, { ids, base }: RequestedGrants): Promise<void> {
  await lockRole(db, principal, roleId);
  const granted = await menusOf(db, [roleId]);
  const { addedIds, removedIds } = changedGrants({
    requested: rebase(ids, { base, granted }),
    granted,
    grantable: await grantableMenus(db, principal),
  });
  if (removedIds.length > 0) await queryRows(db, sql`delete from role_menu where role_id = ${roleId}::bigint and menu_id = any(${idArray(removedIds)})`);
  if (addedIds.length > 0)
    await queryRows(db, sql`insert into role_menu (role_id, menu_id) select ${roleId}::bigint, unnest(${idArray(addedIds)}) on conflict do nothing`);
  const { id, name } = menus;
  const entries = await db.sql
    .select({ id, name })
    .from(menus)
    .where(hasId(menus, [...addedIds, ...removedIds]))
    .orderBy(id);
  recordGrants(roleId, 'menus', { entries, addedIds, removedIds });
  await invalidatePrincipals(db, { roleId });
}

/** Ids that a form requests, and in `base` those that it showed when it was opened. */
export interface RequestedGrants {
  readonly ids: readonly string[];
  readonly base?: readonly string[] | undefined;
}

/** Applies the changes that a form has made since `base` to what is granted now, so that the changes of others stay; without `base` the request replaces everything. */
export function rebase(
  requested: readonly string[],
  { base, granted }: { base: readonly string[] | undefined; granted: readonly string[] },
): readonly string[] {
  if (!base) return requested;
  const [requestedIds, baseIds] = [new Set(requested), new Set(base)];
  return [...granted.filter((id) => requestedIds.has(id) || !baseIds.has(id)), ...requested.filter((id) => !baseIds.has(id))];
}

interface ChangedGrants {
  /** Names of the granted entries. */
  readonly entries: readonly { readonly id: string; readonly name: string }[];
  readonly addedIds: readonly string[];
  readonly removedIds: readonly string[];
}

/** Records the names of granted and revoked entries in the history of the role. */
export function recordGrants(roleId: string, field: keyof typeof Role.related & string, { entries, addedIds, removedIds }: ChangedGrants): void {
  const namesOf = (ids: readonly string[]) => entries.filter(({ id }) => ids.includes(id)).map(({ name }) => name);
  recordChange({ entity: Role.name, id: roleId, before: { [field]: namesOf(removedIds) }, after: { [field]: namesOf(addedIds) } });
}

interface GrantComparison {
  readonly requested: readonly string[];
  readonly granted: readonly string[];
  readonly grantable: ReadonlySet<string>;
}

/** Compares the requested grants with the existing ones of a role. Throws if the caller cannot grant an added one; existing grants that the caller cannot grant stay. */
export function changedGrants(grants: GrantComparison) {
  const [requested, granted] = [new Set(grants.requested), new Set(grants.granted)];
  const addedIds = [...requested].filter((id) => !granted.has(id));
  if (addedIds.some((id) => !grants.grantable.has(id))) throw new ApiError(roleProblems.beyondOwn);
  return { addedIds, removedIds: [...granted].filter((id) => grants.grantable.has(id) && !requested.has(id)) };
}

/** Locks the role until the transaction ends; throws for roles that the user cannot change. */
export async function lockRole(db: Database, principal: Principal, roleId: string) {
  const [role] = await db.sql
    .select({ id: roles.id, alias: roles.roleAlias })
    .from(roles)
    .where(and(eq(roles.id, roleId), isNotDeleted(roles)))
    .for('update');
  if (!role) throw new ApiError(problems.notFound);
  if (!canChangeRole(principal, role.alias)) throw new ApiError(role.alias === administratorAlias ? roleProblems.administrator : roleProblems.beyondOwn);
  return role;
}
