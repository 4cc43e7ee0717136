import { and, type SQL, sql } from 'drizzle-orm';
import {
  ApiError,
  actingAs,
  assertManageable,
  type CallRequest,
  type Database,
  isHidden,
  type PluginRoute,
  type Principal,
  Principals,
  problems,
  queryRows,
  roleNameIn,
  route,
  ruleScope,
  rulesOf,
  type ServerContext,
  tableOf,
  textColumn,
  visibleRows,
} from '#server';
import type { Entity } from '#shared/contract';
import { nameField } from '#shared/entity';
import { readCondition } from '#shared/scopes';
import type { Language } from '#shared/text';
import { type RulePreview, ruleTypes, scopeRule, scopeRuleProblems } from '../scope-contract.ts';
import { scopeAreas } from './scope-areas.ts';
import { callerBound, conditionOf, holderOf, ScopeRules } from './scope-rules.ts';

/** Serves the data scope rules of roles and users. */
export function scopeRuleRoutes(context: ServerContext): PluginRoute[] {
  const { db } = context;
  const rules = new ScopeRules(context);

  return [
    route(scopeRule.areas, ({ principal, language }) => scopeAreas(db, principal, language)),
    route(scopeRule.stored, (request) => rules.find(request, holderOf(request.input))),
    route(scopeRule.person, async ({ input }) => {
      const [person] = await queryRows<{ name: string }>(
        db,
        sql`select u.real_name as name from user_account u where u.id = ${input.userId}::bigint and u.is_deleted <> 1 and ${visibleRows(db, 'user_account', 'u')}`,
      );
      if (!person) throw new ApiError(problems.notFound);
      return person;
    }),
    route(scopeRule.set, async (request) => {
      const holder = holderOf(request.input);
      await rules.set(request, holder, request.input);
      return rules.find(request, holder);
    }),
    route(scopeRule.preview, (request) => previewRule(context, rules, request)),
    route(scopeRule.list, async (request) => {
      const areas = await scopeAreas(db, request.principal, request.language);
      const holders = await queryRows<{ id: string; isRole: boolean; name: string }>(
        db,
        sql`select r.id::text as id, true as "isRole", ${roleNameIn(request.language)} as name from role r where r.is_deleted <> 1 and ${visibleRows(db, 'role', 'r')} and exists (select from scope_rule where role_id = r.id)
            union all
            select u.id::text, false, u.real_name from user_account u where u.is_deleted <> 1 and ${visibleRows(db, 'user_account', 'u')} and exists (select from scope_rule where user_id = u.id)
            order by 2 desc, 3, 1`,
      );
      const reply = [];
      for (const { id, isRole, name } of holders) {
        const holder = isRole ? { roleId: id } : { userId: id };
        for (const { entity, type, condition } of await rulesOf(db, isRole ? { roleIds: [id] } : { userId: id })) {
          const area = areas.find((one) => one.entity === entity);
          if (!area) continue;
          const sentence = await rules.sentences(request, entity).ofRule(type, readCondition(condition));
          reply.push({ ...holder, name, entity, area: area.title, type, sentence });
        }
      }
      return reply;
    }),
  ];
}

const maxRows = 100_000;
const exampleRows = 5;
const timeoutMs = 2000;

type Request = Pick<CallRequest<typeof scopeRule.preview>, 'input' | 'principal' | 'language'>;

/** Counts the rows that a user would see under a rule, and reads a few of their titles. The caller learns of no row beyond their own scope. */
async function previewRule({ db, get }: Pick<ServerContext, 'db' | 'get'>, rules: ScopeRules, request: Request): Promise<RulePreview> {
  const { input, principal, language } = request;
  const area = (await scopeAreas(db, principal, language)).find(({ entity }) => entity === input.entity);
  const entity = db.entities.get(input.entity);
  if (!area || !entity) throw new ApiError(scopeRuleProblems.unknownEntity, { name: input.entity }, { field: 'entity' });
  const condition = conditionOf(area, input);
  const sentence = await rules.sentences(request, entity.name).ofRule(input.type, condition);
  const viewer = await subjectOf({ db, get }, principal, input.userId);
  const part = ruleScope(db, { entity: entity.name, type: input.type, condition, bound: callerBound(principal, entity.name) });
  const isInherited = input.type === ruleTypes.follow;
  const scope = isInherited ? viewer.dataScopes?.get(entity.name) : { parts: part && [part], fields: undefined };
  const scopes = new Map([...(viewer.dataScopes ?? []), ...(scope ? [[entity.name, scope] as const] : [])]);
  const where = actingAs({ ...viewer, dataScopes: scopes }, () => visibleRows(db, entity.name)) as SQL;
  const own = visibleRows(db, entity.name);
  const { total, visibleToCaller, titles } = await readPreview(db, entity, { where: and(where, own) as SQL, own, language });
  return { sentence, total, of: visibleToCaller, isExact: total !== null && total <= maxRows, titles };
}

async function subjectOf({ db, get }: Pick<ServerContext, 'db' | 'get'>, principal: Principal, userId: string | undefined): Promise<Principal> {
  if (userId === undefined || userId === principal.userId) return principal;
  await assertManageable(db, [userId]);
  const found = await get(Principals).find(principal.tenantId, userId);
  if (!found) throw new ApiError(problems.notFound, {}, { field: 'userId' });
  return found;
}

/** Rows that a rule shows; the counts are null if they took too long. */
interface PreviewRows {
  readonly total: number | null;
  readonly visibleToCaller: number | null;
  readonly titles: string[];
}

/** Counts rows up to one more than `maxRows` and reads up to five titles; gives up after two seconds. */
async function readPreview(
  db: Database,
  entity: Entity,
  { where, own, language }: { readonly where: SQL; readonly own: SQL; readonly language: Language },
): Promise<PreviewRows> {
  const table = tableOf(entity);
  const live = and(sql`${table.isDeleted} = 0`, db.references.restrictionOf(entity.name));
  const title = nameField(entity);
  const shown = title !== undefined && !isHidden(entity, title) ? title : 'id';
  try {
    return await db.write(db.scope ?? { tenantId: '' }, async () => {
      await queryRows(db, sql`select set_config('statement_timeout', ${String(timeoutMs)}, true)`);
      const count = (condition: SQL | undefined) => sql`(select count(*)::integer from (select from ${table} where ${condition} limit ${maxRows + 1}) counted)`;
      const [counts] = await queryRows<{ total: number; visible: number }>(
        db,
        sql`select ${count(and(live, where))} as total, ${count(and(live, own))} as visible`,
      );
      const rows = await queryRows<{ title: string }>(
        db,
        sql`select ${textColumn(entity, shown, language)} as title from ${table} where ${and(live, where)} limit ${exampleRows}`,
      );
      await queryRows(db, sql`select set_config('statement_timeout', '0', true)`);
      return { total: counts?.total ?? 0, visibleToCaller: counts?.visible ?? 0, titles: [...new Set(rows.map((row) => row.title).filter(Boolean))] };
    });
  } catch (error) {
    if (!isTimeout(error)) throw error;
    return { total: null, visibleToCaller: null, titles: [] };
  }
}

/** Tests for PostgreSQL's code of a cancelled statement. */
function isTimeout(error: unknown): boolean {
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return code === '57014' || (cause !== undefined && isTimeout(cause));
}
