import { sql } from 'drizzle-orm';
import { ApiError, boundOf, idArray, isAdministrator, Principals, problems, queryRows, roleNameIn, type ServerContext, textArray } from '#server';
import { localize } from '#shared/text';
import type { PermissionSummary } from '../explain-contract.ts';
import { scopeAreas } from './scope-areas.ts';
import { type RuleReader, ScopeRules } from './scope-rules.ts';

interface PageRow {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly nameEn: string | null;
  readonly group: string;
  readonly groupEn: string | null;
  readonly roles: string[];
  readonly buttons: { readonly name: string; readonly nameEn: string | null }[];
  readonly hasButtons: boolean;
}

/** Summarizes what a user of the asker's tenant may do, with the permissions that requests of the user have now. */
export async function permissionSummary(context: ServerContext, { principal, language }: RuleReader, userId: string): Promise<PermissionSummary> {
  const { db, get } = context;
  const [user] = await queryRows<PermissionSummary['user']>(
    db,
    sql`select u.id::text as id, u.account, u.real_name as name from user_account u where u.id = ${userId}::bigint and u.is_deleted = 0`,
  );
  if (!user) throw new ApiError(problems.notFound, {}, { field: 'userId' });
  const person = await get(Principals).find(principal.tenantId, userId);
  if (!person) return { user, canSignIn: false, isAdministrator: false, roles: [], groups: [] };
  const roles = await queryRows<{ name: string }>(
    db,
    sql`select ${roleNameIn(language)} as name from role r where r.id = any(${idArray(person.roleIds)}) and r.is_deleted <> 1 order by r.sort, r.id`,
  );
  const codes = textArray([...person.codes]);
  const rows = await queryRows<PageRow>(
    db,
    sql`select m.id::text as id, m.code, m.name, m.name_en as "nameEn", coalesce(p.name, m.name) as "group", coalesce(p.name_en, m.name_en) as "groupEn",
          array(select ${roleNameIn(language)} from role_menu rm join role r on r.id = rm.role_id and r.is_deleted <> 1
            where rm.menu_id = m.id and rm.role_id = any(${idArray(person.roleIds)}) order by r.sort, r.id) as roles,
          (select coalesce(json_agg(json_build_object('name', b.name, 'nameEn', b.name_en) order by b.sort, b.id), '[]') from menu b
            where b.parent_id = m.id and b.category = 2 and b.is_deleted = 0 and b.code = any(${codes})) as buttons,
          exists (select from menu b where b.parent_id = m.id and b.category = 2 and b.is_deleted = 0) as "hasButtons"
        from menu m left join menu p on p.id = m.parent_id and p.is_deleted = 0
        where m.is_deleted = 0 and m.category = 1 and m.code = any(${codes})
          and not exists (select from menu child where child.parent_id = m.id and child.category = 1 and child.is_deleted = 0)
        order by p.sort nulls last, p.id, m.sort, m.id`,
  );
  const areas = await scopeAreas(db, principal, language);
  const rules = new ScopeRules(context);
  const titleOf = ({ name, nameEn }: { readonly name: string; readonly nameEn: string | null }) => localize([name, nameEn || name], language);
  const groups = new Map<string, PermissionSummary['groups'][number]['pages']>();
  for (const row of rows) {
    const entity = areas.find((area) => area.codes.includes(row.code))?.entity;
    const parts = entity === undefined ? undefined : person.dataScopes?.get(entity)?.parts;
    const shown = parts && entity ? { rows: await rules.sentences({ principal, language }, entity).ofCondition(boundOf(parts)) } : {};
    const group = titleOf({ name: row.group, nameEn: row.groupEn });
    const page = { code: row.code, title: titleOf(row), roles: row.roles, buttons: row.buttons.map(titleOf), hasButtons: row.hasButtons, ...shown };
    groups.set(group, [...(groups.get(group) ?? []), page]);
  }
  return {
    user,
    canSignIn: true,
    isAdministrator: isAdministrator(person.roles),
    roles: roles.map(({ name }) => name),
    groups: [...groups].map(([title, pages]) => ({ title, pages })),
  };
}
