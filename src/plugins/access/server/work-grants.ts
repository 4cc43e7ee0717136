import { sql } from 'drizzle-orm';
import { ApiError, type Database, idArray, isAdministrator, type Principal, problems, queryRows, rolesForCaller, type ServerContext, textArray } from '#server';
import type { FieldTraits } from '#shared/fields';
import { type Language, localize } from '#shared/text';
import { administratorAlias, roleProblems, tenantAdministratorAlias } from '../contract.ts';
import { conditionFor, ruleTypes, type ScopeArea, scopeRuleProblems } from '../scope-contract.ts';
import { type Work, type WorkField, type WorkGiver, WorkGrants, type WorkLimit, type WorkOffer } from '../server-extension.ts';
import { grantableRows, setMenus } from './grants.ts';
import { rolesOf } from './role-routes.ts';
import { restrictToGranter } from './role-scopes.ts';
import { scopeAreas } from './scope-areas.ts';
import { ScopeRules } from './scope-rules.ts';

const maxName = 64;

interface StoredWork extends Omit<Work, 'targets'> {
  /** Entities whose rows the work shows. */
  readonly entities: readonly string[];
}

interface Granter {
  readonly principal: Principal;
  readonly language: Language;
}

/** The port does not know the type `Principal` of the server, but the host passes no other principals. */
const giverOf = ({ principal, language }: WorkGiver): Granter => ({ principal: principal as Principal, language });

/** Gives work in the form of roles. A page that no role grants alone gets a role with the name of the page. */
export class StoredWorkGrants extends WorkGrants {
  private readonly db: Database;
  private readonly rules: ScopeRules;

  constructor(context: Pick<ServerContext, 'db' | 'get'>) {
    super();
    this.db = context.db;
    this.rules = new ScopeRules(context);
  }

  async offer(workGiver: WorkGiver): Promise<WorkOffer> {
    const giver = giverOf(workGiver);
    const areas = await scopeAreas(this.db, giver.principal, giver.language);
    const works = (await this.worksIn(giver, areas)).map(({ entities, ...work }) => ({ ...work, targets: targetsOf(areas, entities) }));
    return { works, fields: giver.principal.codes.has('role_grant') ? fieldsIn(areas) : [] };
  }

  async roleFor(giver: WorkGiver, codes: readonly string[]): Promise<string> {
    const { principal } = giverOf(giver);
    if (!createsRoles(principal)) throw new ApiError(problems.forbidden);
    const rows = await grantableRows(this.db, principal);
    const pages = rows.filter(({ category, code }) => category === 1 && codes.includes(code));
    if (pages.length !== new Set(codes).size) throw new ApiError(roleProblems.beyondOwn);
    const pageIds = new Set(pages.map(({ id }) => id));
    const buttons = this.buttonsOfWork(rows).filter(({ parentId }) => pageIds.has(parentId));
    const ids = rows.filter((row) => pageIds.has(row.id) || buttons.includes(row)).map(({ id }) => id);
    const existing = await this.roleWith(ids);
    if (existing) return existing;
    const namesIn = (language: Language) => pages.map(({ name, nameEn }) => localize([name, nameEn || name], language));
    const roleName = namesIn('zh').join('、').slice(0, maxName);
    const roleNameEn = namesIn('en').join(', ').slice(0, maxName);
    const roleAlias = pages
      .map(({ code }) => code)
      .join('_')
      .slice(0, maxName);
    const role = await rolesOf(this.db).save({ parentId: '0', roleName, roleNameEn, roleAlias, sort: 1, requiresSecondFactor: false });
    await setMenus(this.db, principal, role.id, { ids });
    await restrictToGranter(this.db, principal, role.id);
    return role.id;
  }

  async limit(
    workGiver: WorkGiver,
    userId: string,
    { works, limits }: { readonly works: readonly string[]; readonly limits: readonly WorkLimit[] },
  ): Promise<void> {
    const giver = giverOf(workGiver);
    if (!giver.principal.codes.has('role_grant')) throw new ApiError(problems.forbidden);
    const areas = await scopeAreas(this.db, giver.principal, giver.language);
    const given = (await this.worksIn(giver, areas)).filter(({ key }) => works.includes(key));
    const limited = areas.filter(({ entity }) => given.some(({ entities }) => entities.includes(entity)));
    const rules = limited.flatMap(({ entity, fields }) => {
      const known = limits.filter(({ target }) => fields.some((field) => field.target === target));
      const condition = known.length > 0 ? conditionFor(fields, Object.fromEntries(known.map(({ target, ids }) => [target, ids]))) : undefined;
      return condition ? [{ entity, type: ruleTypes.custom, condition }] : [];
    });
    const unknown = limits.find(({ target }) => !limited.some(({ fields }) => fields.some((field) => field.target === target)));
    if (unknown) throw new ApiError(scopeRuleProblems.unknownField, { name: unknown.target }, { field: 'limits' });
    if (rules.length > 0) await this.rules.set(giver, { userId }, { rules });
  }

  private async worksIn(giver: Granter, areas: readonly ScopeArea[]): Promise<StoredWork[]> {
    return [...(await this.roleWorks(giver, areas)), ...(createsRoles(giver.principal) ? await this.pageWorks(giver, areas) : [])];
  }

  /** Returns the buttons that come with the work of their page; those that show personal data are granted to roles one by one. */
  private buttonsOfWork<Entry extends { readonly category: number; readonly code: string }>(entries: readonly Entry[]): Entry[] {
    const personal = new Set([...this.db.entities.values()].flatMap((entity) => entity.personal?.code ?? []));
    return entries.filter(({ category, code }) => category === 2 && !personal.has(code));
  }

  /** Finds a role that has exactly these menu entries and no scopes. */
  private async roleWith(menuIds: readonly string[]): Promise<string | undefined> {
    const grantable = (await rolesForCaller(this.db)).filter(({ isGrantable, isArchived }) => isGrantable && !isArchived);
    const [found] = await queryRows<{ id: string }>(
      this.db,
      sql`select r.id::text as id from role r where r.id = any(${idArray(grantable.map(({ id }) => id))})
            and not exists (select from scope_rule where role_id = r.id) and not exists (select from role_scope where role_id = r.id)
            and (select array_agg(rm.menu_id order by rm.menu_id) from role_menu rm join menu m on m.id = rm.menu_id and m.is_deleted = 0 where rm.role_id = r.id)
              = (select array_agg(id order by id) from unnest(${idArray(menuIds)}) as wanted(id))
          order by r.sort, r.id limit 1`,
    );
    return found?.id;
  }

  private async roleWorks({ language }: Granter, areas: readonly ScopeArea[]): Promise<StoredWork[]> {
    const roles = (await rolesForCaller(this.db)).filter(
      ({ isGrantable, isArchived, alias }) => isGrantable && !isArchived && alias !== administratorAlias && alias !== tenantAdministratorAlias,
    );
    const pages = await queryRows<{ roleId: string; code: string; name: string; nameEn: string | null }>(
      this.db,
      sql`select rm.role_id::text as "roleId", m.code, m.name, m.name_en as "nameEn" from role_menu rm join menu m on m.id = rm.menu_id and m.is_deleted = 0 and m.category = 1
          where rm.role_id = any(${idArray(roles.map(({ id }) => id))}) and m.path <> '' and not exists (select from menu child where child.parent_id = m.id and child.category = 1 and child.is_deleted = 0)
          order by m.sort, m.id`,
    );
    return roles.map(({ id, title }) => {
      const own = pages.filter(({ roleId }) => roleId === id);
      const codes = own.map(({ code }) => code);
      return {
        key: `role:${id}`,
        title: localize(title, language),
        group: '',
        parts: own.map(({ name: zh, nameEn }) => localize([zh, nameEn || zh], language)),
        entities: entitiesOf(areas, codes),
      };
    });
  }

  private async pageWorks({ principal, language }: Granter, areas: readonly ScopeArea[]): Promise<StoredWork[]> {
    const rows = await grantableRows(this.db, principal);
    const buttons = this.buttonsOfWork(rows);
    const parents = await queryRows<{ code: string; name: string; nameEn: string | null; sort: number }>(
      this.db,
      sql`select m.code, p.name, p.name_en as "nameEn", p.sort from menu m join menu p on p.id = m.parent_id and p.is_deleted = 0
          where m.is_deleted = 0 and m.code = any(${textArray(rows.map(({ code }) => code))}) order by p.sort, p.id`,
    );
    const groups = new Map(parents.map(({ code, name, nameEn }) => [code, localize([name, nameEn || name], language)]));
    const order = [...new Set(groups.values())];
    const titleOf = ({ name, nameEn }: (typeof rows)[number]) => localize([name, nameEn || name], language);
    return rows
      .filter(({ id, category }) => category === 1 && !rows.some((child) => child.category === 1 && child.parentId === id))
      .map((page) => ({
        key: `page:${page.code}`,
        title: titleOf(page),
        group: groups.get(page.code) ?? '',
        parts: buttons.filter(({ parentId }) => parentId === page.id).map(titleOf),
        entities: entitiesOf(areas, [page.code]),
      }))
      .sort((one, other) => order.indexOf(one.group) - order.indexOf(other.group));
  }
}

const createsRoles = ({ codes, roles }: Principal) => isAdministrator(roles) || (codes.has('role_add') && codes.has('role_grant'));

const entitiesOf = (areas: readonly ScopeArea[], codes: readonly string[]): string[] =>
  areas.filter((area) => area.codes.some((code) => codes.includes(code))).map(({ entity }) => entity);

const targetsOf = (areas: readonly ScopeArea[], entities: readonly string[]): string[] =>
  fieldsIn(areas.filter(({ entity }) => entities.includes(entity))).map(({ target }) => target);

/** Lists the fields that can limit the rows of these areas, one for each target whose rows can be selected. */
function fieldsIn(areas: readonly ScopeArea[]): WorkField[] {
  const fields = areas
    .flatMap((area) => area.fields)
    .flatMap(({ target, title, traits }) => (target !== undefined && traits?.reference ? [{ target, title, traits: traits as FieldTraits }] : []));
  return fields.filter(({ target }, index) => fields.findIndex((other) => other.target === target) === index);
}
