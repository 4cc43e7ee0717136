import { sql } from 'drizzle-orm';
import {
  ApiError,
  boundOf,
  Explanations,
  idArray,
  isAdministrator,
  type PluginRoute,
  Principals,
  problems,
  queryRows,
  roleNameIn,
  route,
  type ServerContext,
  textArray,
} from '#server';
import { type Explanation, type ExplanationStep, explained } from '#shared/permission-explanation';
import { localize } from '#shared/text';
import { type PermissionSummary, permissionExplanation } from '../explain-contract.ts';
import { findUsersByName } from './members.ts';
import { scopeAreas } from './scope-areas.ts';
import { type RuleReader, ScopeRules } from './scope-rules.ts';

/** Serves the explanation of permissions. */
export function explanationRoutes(context: ServerContext): PluginRoute[] {
  const { db, get } = context;
  const explanations = get(Explanations);

  return [
    route(permissionExplanation.explain, async (request) => withRule(context, request, await explanations.explain(request.principal, request.input))),
    route(permissionExplanation.summary, (request) => permissionSummary(context, request, request.input.userId ?? request.principal.userId)),
    route(permissionExplanation.people, ({ input }) => findUsersByName(db, input.text ?? '')),
    route(permissionExplanation.entries, ({ principal, language }) => explanations.entries(principal, language)),
    route(permissionExplanation.calls, ({ input, language }) => explanations.calls(input.text ?? '', language)),
  ];
}

/** Names the rule that limits the rows, where one does. */
async function withRule(context: ServerContext, { principal }: RuleReader, explanation: Explanation): Promise<Explanation> {
  const { subject, user, steps } = explanation;
  const person = subject.entity ? await context.get(Principals).find(principal.tenantId, user.id) : undefined;
  const parts = person?.dataScopes?.get(subject.entity ?? '')?.parts;
  if (!parts) return explanation;
  const rules = new ScopeRules(context);
  const sentenceIn = (language: 'zh' | 'en') => rules.sentences({ principal, language }, subject.entity ?? '').ofCondition(boundOf(parts));
  const rule = [await sentenceIn('zh'), await sentenceIn('en')] as const;
  const named = (step: ExplanationStep): ExplanationStep => {
    if (step.step !== 'dataScope' || step.verdict === 'silent') return step;
    if (step.verdict === 'refuses') return isMissing(step) ? step : explained('dataScope', 'refuses', 'rowOutsideRule', { rule });
    return explained('dataScope', 'allows', 'someRowsRule', { rule });
  };
  return { ...explanation, steps: steps.map(named) };
}

/** A row that does not exist, or that the asker may not see, is limited by no rule. */
const isMissing = ({ sentence }: ExplanationStep) => sentence[1] === explained('dataScope', 'refuses', 'rowMissing').sentence[1];

interface ExplainedPageRow {
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
async function permissionSummary(context: ServerContext, { principal, language }: RuleReader, userId: string): Promise<PermissionSummary> {
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
  const rows = await queryRows<ExplainedPageRow>(
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
