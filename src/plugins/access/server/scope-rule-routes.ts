import { sql } from 'drizzle-orm';
import { ApiError, type PluginRoute, problems, queryRows, roleNameIn, route, rulesOf, type ServerContext, visibleRows } from '#server';
import { readCondition } from '#shared/scopes';
import { scopeRule } from '../scope-contract.ts';
import { scopeAreas } from './scope-areas.ts';
import { previewRule } from './scope-preview.ts';
import { holderOf, ScopeRules } from './scope-rules.ts';

/** Serves the rules of data scopes of roles and people. */
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
