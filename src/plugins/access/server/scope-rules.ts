import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import {
  ApiError,
  assertManageable,
  boundOf,
  type Database,
  dataScopesOf,
  idArray,
  invalidatePrincipals,
  namedScopeFields,
  type Principal,
  Principals,
  problems,
  queryRows,
  ReferenceReaders,
  recordChange,
  rulesOf,
  ScopeSentences,
  type ServerContext,
} from '#server';
import { readCondition, type ScopeCondition, scopePaths } from '#shared/scopes';
import type { Language } from '#shared/text';
import { Role } from '../contract.ts';
import { type RuleInput, ruleTypes, type ScopeArea, type StoredRules, scopeRuleProblems } from '../scope-contract.ts';
import { lockRole } from './grants.ts';
import { scopeAreas } from './scope-areas.ts';

/** Role or person that has rules. */
export type RuleHolder = { readonly roleId: string } | { readonly userId: string };

/** User who reads rules, with the language of their sentences. */
export type RuleReader = { readonly principal: Principal; readonly language: Language };

/** Returns the holder that a request names. */
export function holderOf({ roleId, userId }: { readonly roleId?: string | undefined; readonly userId?: string | undefined }): RuleHolder {
  if ((roleId === undefined) === (userId === undefined)) throw new ApiError(scopeRuleProblems.holder);
  return roleId === undefined ? { userId: userId as string } : { roleId };
}

/** Stores which rows the roles and people of a tenant see. */
export class ScopeRules {
  private readonly db: Database;

  constructor(private readonly context: Pick<ServerContext, 'db' | 'get'>) {
    this.db = context.db;
  }

  /** Returns the rules of a holder as sentences, for the entities whose pages the caller can open. */
  async find({ principal, language }: RuleReader, holder: RuleHolder): Promise<StoredRules> {
    if ('userId' in holder) await assertManageable(this.db, [holder.userId]);
    const areas = await scopeAreas(this.db, principal, language);
    const stored = await this.stored(holder);
    const rules: StoredRules['rules'] = [];
    for (const { entity, type, condition, bound } of stored) {
      if (!areas.some((area) => area.entity === entity)) continue;
      const sentences = this.sentences({ principal, language }, entity);
      const limit = bound ? readCondition(bound) : undefined;
      rules.push({
        entity,
        type,
        condition: (condition ?? null) as ScopeCondition | null,
        sentence: await sentences.ofRule(type, readCondition(condition)),
        ...(limit ? { within: await sentences.ofCondition(limit) } : {}),
      });
    }
    return {
      version: versionOf(stored),
      rules,
      codes: await this.codesOf(principal, holder),
      inherited: await this.inherited({ principal, language }, holder, areas),
    };
  }

  /** Replaces the rules of the given entities. */
  async set(
    { principal, language }: RuleReader,
    holder: RuleHolder,
    { rules, version }: { rules: readonly RuleInput[]; version?: string | undefined },
  ): Promise<void> {
    await this.lock(principal, holder);
    const stored = await this.stored(holder);
    if (version !== undefined && version !== versionOf(stored)) throw new ApiError(problems.conflict);
    const areas = await scopeAreas(this.db, principal, language);
    const before: string[] = [];
    const after: string[] = [];
    for (const [entity, rule] of new Map(rules.map((rule) => [rule.entity, rule]))) {
      const area = areas.find((one) => one.entity === entity);
      if (!area) throw new ApiError(scopeRuleProblems.unknownEntity, { name: entity }, { field: 'entity' });
      const condition = conditionOf(area, rule);
      const old = stored.find((one) => one.entity === entity);
      const sentences = this.sentences({ principal, language: 'zh' }, entity);
      if (old) before.push(`${area.title}：${await sentences.ofRule(old.type, readCondition(old.condition))}`);
      const type = await this.write(principal, holder, { entity, type: rule.type, condition, isReplaced: old !== undefined });
      if (type !== ruleTypes.follow) after.push(`${area.title}：${await sentences.ofRule(type, condition)}`);
    }
    const [entity, id] = 'roleId' in holder ? [Role.name, holder.roleId] : ['user_account', holder.userId];
    recordChange({ entity, id, before: { scopeRules: before }, after: { scopeRules: after } });
    await invalidatePrincipals(this.db, holder);
  }

  /** Writes one rule and returns the stored type. A caller who sees some of the rows can grant these at most. */
  private async write(
    principal: Principal,
    holder: RuleHolder,
    { entity, type, condition, isReplaced }: { entity: string; type: number; condition: ScopeCondition | undefined; isReplaced: boolean },
  ): Promise<number> {
    const bound = callerBound(principal, entity);
    if (bound && type === ruleTypes.follow && 'userId' in holder && isReplaced) throw new ApiError(scopeRuleProblems.widens);
    const storedType = bound && type === ruleTypes.follow && 'roleId' in holder ? ruleTypes.all : type;
    const [roleId, userId] = 'roleId' in holder ? [holder.roleId, null] : [null, holder.userId];
    await queryRows(this.db, sql`delete from scope_rule where entity = ${entity} and (role_id = ${roleId}::bigint or user_id = ${userId}::bigint)`);
    if (storedType === ruleTypes.follow) return storedType;
    await queryRows(
      this.db,
      sql`insert into scope_rule (role_id, user_id, entity, scope_type, condition, bound)
          values (${roleId}::bigint, ${userId}::bigint, ${entity}, ${storedType}, ${json(condition)}::jsonb, ${json(bound)}::jsonb)`,
    );
    return storedType;
  }

  /** Builds the sentences about rows of an entity. */
  sentences({ principal, language }: RuleReader, entity: string): ScopeSentences {
    const declaration = this.db.entities.get(entity);
    return new ScopeSentences(declaration ? namedScopeFields(this.db, declaration) : [], this.context.get(ReferenceReaders).of(principal, language), language);
  }

  private stored(holder: RuleHolder) {
    return rulesOf(this.db, 'roleId' in holder ? { roleIds: [holder.roleId] } : holder);
  }

  private async lock(principal: Principal, holder: RuleHolder): Promise<void> {
    if ('roleId' in holder) {
      await lockRole(this.db, principal, holder.roleId);
      return;
    }
    if (holder.userId === principal.userId) throw new ApiError(scopeRuleProblems.self);
    await assertManageable(this.db, [holder.userId]);
    const found = await queryRows(this.db, sql`select id from user_account where id = ${holder.userId}::bigint and is_deleted <> 1 for update`);
    if (found.length === 0) throw new ApiError(problems.notFound);
  }

  /** Returns the page codes of a role or person. */
  private async codesOf({ tenantId }: Principal, holder: RuleHolder): Promise<string[]> {
    if ('userId' in holder) return [...((await this.context.get(Principals).find(tenantId, holder.userId))?.codes ?? [])];
    const rows = await queryRows<{ code: string }>(
      this.db,
      sql`select m.code from role_menu rm join menu m on m.id = rm.menu_id and m.is_deleted = 0 where rm.role_id = any(${idArray([holder.roleId])})`,
    );
    return rows.map(({ code }) => code);
  }

  /** Describes which rows a person's roles show, for each entity that the roles limit. */
  private async inherited({ principal, language }: RuleReader, holder: RuleHolder, areas: readonly ScopeArea[]): Promise<StoredRules['inherited']> {
    const person = 'userId' in holder && (await this.context.get(Principals).find(principal.tenantId, holder.userId));
    if (!person) return [];
    const { tenantId, roleIds, roles } = person;
    const scopes = await dataScopesOf(this.db, { tenantId, roleIds, roles });
    const limited = areas.flatMap(({ entity }) => {
      const parts = scopes.get(entity)?.parts;
      return parts ? [{ entity, parts }] : [];
    });
    const sentences: StoredRules['inherited'] = [];
    for (const { entity, parts } of limited)
      sentences.push({ entity, sentence: await this.sentences({ principal, language }, entity).ofCondition(boundOf(parts)) });
    return sentences;
  }
}

/** Returns the condition for the rows of an entity that the caller sees; undefined if they see all rows. */
export function callerBound(principal: Principal, entity: string): ScopeCondition | undefined {
  const parts = principal.dataScopes?.get(entity)?.parts;
  return parts && boundOf(parts, principal);
}

/** Returns the condition of a rule; throws if it uses a field that the area does not have. */
export function conditionOf(area: ScopeArea, { type, condition }: Pick<RuleInput, 'type' | 'condition'>): ScopeCondition | undefined {
  if (type !== ruleTypes.custom) return undefined;
  const read = readCondition(condition);
  if (!read) throw new ApiError(scopeRuleProblems.condition, {}, { field: 'condition' });
  const unknown = scopePaths(read).find((path) => !area.fields.some((field) => field.path === path));
  if (unknown !== undefined) throw new ApiError(scopeRuleProblems.unknownField, { name: unknown }, { field: 'condition' });
  return read;
}

const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value));

const versionOf = (stored: Awaited<ReturnType<typeof rulesOf>>) => createHash('sha256').update(JSON.stringify(stored)).digest('hex').slice(0, 16);
