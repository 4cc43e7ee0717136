import { sql } from 'drizzle-orm';
import { ApiError, type Database, invalidatePrincipals, type Principal, problems, queryRows, treeOf } from '#server';
import type { Branch } from '#shared/contract';
import { menuGroups } from '#shared/menu-groups';
import { type Language, localize } from '#shared/text';
import { administratorAlias, type GrantNode, roleProblems, tenantAdministratorAlias } from '../contract.ts';

/** Role locked for a change of its grants. */
interface LockedRole {
  readonly id: string;
  readonly alias: string;
}

export const isAdministrator = ({ roles }: Pick<Principal, 'roles'>): boolean => roles.includes(administratorAlias);
/** Tells whether the user may change roles with an alias: no user may change the administrator role, and only administrators and tenant administrators may change tenant administrator roles. */
export const mayHandle = (principal: Pick<Principal, 'roles'>, alias: string): boolean =>
  alias !== administratorAlias && (alias !== tenantAdministratorAlias || isAdministrator(principal) || principal.roles.includes(tenantAdministratorAlias));

/** Converts ids to a PostgreSQL array. */
export const listOf = (ids: Iterable<string>) => sql`${`{${[...new Set(ids)].join(',')}}`}::bigint[]`;

/** Returns the ids of menu entries the user may grant: all for the administrator, otherwise those granted to their own roles. */
export async function grantableMenus(db: Database, principal: Principal): Promise<ReadonlySet<string>> {
  return new Set((await grantableRows(db, principal)).map(({ id }) => id));
}

/** Returns these entries as a tree; ancestors are included where they can be granted too. */
export async function grantableTree(db: Database, principal: Principal, language: Language): Promise<Branch<GrantNode>[]> {
  const rows = await grantableRows(db, principal);
  return treeOf(
    rows.map(({ id, parentId, category, name, nameEn }) => ({ id, parentId, category, title: localize([name, nameEn || name], language), value: id, key: id })),
  );
}

interface GrantableRow {
  readonly id: string;
  readonly parentId: string;
  readonly code: string;
  readonly name: string;
  readonly nameEn: string | null;
  readonly category: number;
}

/** Menu groups are left out when no page below them can be granted. */
const groupCodes: ReadonlySet<string> = new Set(Object.keys(menuGroups));

/** Filters by the user's effective codes, which exclude entries outside the tenant's package or of disabled plugins. */
async function grantableRows(db: Database, principal: Principal): Promise<GrantableRow[]> {
  const own = sql`and m.id in (select rm.menu_id from role_menu rm where rm.role_id = any(${listOf(principal.roleIds)}))`;
  const rows = await queryRows<GrantableRow>(
    db,
    sql`select m.id::text as id, m.parent_id::text as "parentId", m.code, m.name, m.name_en as "nameEn", m.category from menu m
        where m.is_deleted = 0 ${isAdministrator(principal) ? sql`` : own} order by m.sort, m.id`,
  );
  const given = rows.filter(({ code }) => principal.codes.has(code));
  const parents = new Set(given.map(({ parentId }) => parentId));
  return given.filter(({ id, code }) => !groupCodes.has(code) || parents.has(id));
}

/** Returns the ids of menu entries granted to roles. */
export async function menusOf(db: Database, roleIds: readonly string[]): Promise<string[]> {
  const rows = await queryRows<{ id: string }>(
    db,
    sql`select distinct rm.menu_id::text as id from role_menu rm join menu m on m.id = rm.menu_id and m.is_deleted = 0 where rm.role_id = any(${listOf(roleIds)})`,
  );
  return rows.map(({ id }) => id);
}

/** Replaces the menu entries of a role; entries the caller cannot grant stay unchanged. */
export async function setMenus(db: Database, principal: Principal, roleId: string, menuIds: readonly string[]): Promise<void> {
  await lockRole(db, principal, roleId);
  const [may, has] = [await grantableMenus(db, principal), new Set(await menusOf(db, [roleId]))];
  const wanted = new Set(menuIds);
  if ([...wanted].some((id) => !may.has(id) && !has.has(id))) throw new ApiError(roleProblems.beyond);
  const taken = [...has].filter((id) => may.has(id) && !wanted.has(id));
  const given = [...wanted].filter((id) => !has.has(id));
  if (taken.length > 0) await queryRows(db, sql`delete from role_menu where role_id = ${roleId}::bigint and menu_id = any(${listOf(taken)})`);
  if (given.length > 0)
    await queryRows(db, sql`insert into role_menu (role_id, menu_id) select ${roleId}::bigint, unnest(${listOf(given)}) on conflict do nothing`);
  await invalidatePrincipals(db, { roleId });
}

/** Locks the role until the transaction ends; refuses roles the user may not change. */
export async function lockRole(db: Database, principal: Principal, roleId: string): Promise<LockedRole> {
  const [role] = await queryRows<LockedRole>(
    db,
    sql`select id::text as id, role_alias as alias from role where id = ${roleId}::bigint and is_deleted = 0 for update`,
  );
  if (!role) throw new ApiError(problems.notFound);
  if (!mayHandle(principal, role.alias)) throw new ApiError(role.alias === administratorAlias ? roleProblems.administrator : roleProblems.beyond);
  return role;
}
