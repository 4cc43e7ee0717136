import { sql } from 'drizzle-orm';
import { type Database, forgetPrincipals, type Principal, problems, Refusal, rowsOf, treeOf } from '#server';
import type { Branch } from '#shared/contract';
import { menuGroups } from '#shared/menus';
import { type Language, say } from '#shared/text';
import { administratorAlias, type GrantNode, roleProblems, tenantAdministratorAlias } from '../contract.ts';

/** A role as whoever grants to it sees it. */
interface HeldRole {
  readonly id: string;
  readonly alias: string;
}

export const isAdministrator = ({ roles }: Pick<Principal, 'roles'>): boolean => roles.includes(administratorAlias);
/** Whether somebody may deal with roles of an alias: the administrator's is nobody's to touch, a tenant administrator's is for administrators. */
export const mayHandle = (principal: Pick<Principal, 'roles'>, alias: string): boolean =>
  alias !== administratorAlias && (alias !== tenantAdministratorAlias || isAdministrator(principal) || principal.roles.includes(tenantAdministratorAlias));

/** Ids as PostgreSQL takes a list of them. */
export const listOf = (ids: Iterable<string>) => sql`${`{${[...new Set(ids)].join(',')}}`}::bigint[]`;

/** Ids of the menu entries somebody may give: all there are for the administrator, what their own roles were given for everybody else. */
export async function grantableMenus(db: Database, principal: Principal): Promise<ReadonlySet<string>> {
  return new Set((await grantableRows(db, principal)).map(({ id }) => id));
}

/** The same to pick from: what stands above an entry that may be given is shown with it where it may be given too. */
export async function grantableTree(db: Database, principal: Principal, language: Language): Promise<Branch<GrantNode>[]> {
  const rows = await grantableRows(db, principal);
  return treeOf(
    rows.map(({ id, parentId, category, name, nameEn }) => ({ id, parentId, category, title: say([name, nameEn || name], language), value: id, key: id })),
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

/** Groups only lead somewhere. */
const groupCodes: ReadonlySet<string> = new Set(menuGroups.map(({ code }) => code));

/** What the tenant's package or a plugin that is off has taken away is in no principal's codes. */
async function grantableRows(db: Database, principal: Principal): Promise<GrantableRow[]> {
  const own = sql`and m.id in (select rm.menu_id from role_menu rm where rm.role_id = any(${listOf(principal.roleIds)}))`;
  const rows = await rowsOf<GrantableRow>(
    db,
    sql`select m.id::text as id, m.parent_id::text as "parentId", m.code, m.name, m.name_en as "nameEn", m.category from menu m
        where m.is_deleted = 0 ${isAdministrator(principal) ? sql`` : own} order by m.sort, m.id`,
  );
  const given = rows.filter(({ code }) => principal.codes.has(code));
  const parents = new Set(given.map(({ parentId }) => parentId));
  return given.filter(({ id, code }) => !groupCodes.has(code) || parents.has(id));
}

/** Ids of the menu entries a role has. */
export async function menusOf(db: Database, roleIds: readonly string[]): Promise<string[]> {
  const rows = await rowsOf<{ id: string }>(
    db,
    sql`select distinct rm.menu_id::text as id from role_menu rm join menu m on m.id = rm.menu_id and m.is_deleted = 0 where rm.role_id = any(${listOf(roleIds)})`,
  );
  return rows.map(({ id }) => id);
}

/** Gives a role these menu entries and no others; what the giver does not have themselves stays as it was. */
export async function setMenus(db: Database, principal: Principal, roleId: string, menuIds: readonly string[]): Promise<void> {
  await heldRole(db, principal, roleId);
  const [may, has] = [await grantableMenus(db, principal), new Set(await menusOf(db, [roleId]))];
  const wanted = new Set(menuIds);
  if ([...wanted].some((id) => !may.has(id) && !has.has(id))) throw new Refusal(roleProblems.beyond);
  const taken = [...has].filter((id) => may.has(id) && !wanted.has(id));
  const given = [...wanted].filter((id) => !has.has(id));
  if (taken.length > 0) await rowsOf(db, sql`delete from role_menu where role_id = ${roleId}::bigint and menu_id = any(${listOf(taken)})`);
  if (given.length > 0)
    await rowsOf(db, sql`insert into role_menu (role_id, menu_id) select ${roleId}::bigint, unnest(${listOf(given)}) on conflict do nothing`);
  await forgetPrincipals(db, { roleId });
}

/** The role, kept from others until the transaction ends; refused where it is not the principal's to handle. */
export async function heldRole(db: Database, principal: Principal, roleId: string): Promise<HeldRole> {
  const [role] = await rowsOf<HeldRole>(
    db,
    sql`select id::text as id, role_alias as alias from role where id = ${roleId}::bigint and is_deleted = 0 for update`,
  );
  if (!role) throw new Refusal(problems.notFound);
  if (!mayHandle(principal, role.alias)) throw new Refusal(role.alias === administratorAlias ? roleProblems.administrator : roleProblems.beyond);
  return role;
}
