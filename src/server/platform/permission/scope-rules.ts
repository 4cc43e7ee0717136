import { sql } from 'drizzle-orm';
import type { Entity } from '#shared/contract';
import { readCondition, type ScopeCondition } from '#shared/scopes';
import type { ScopePart } from '../../data/context/actor.ts';
import type { Database } from '../../data/database/database.ts';
import { idArray, queryRows } from '../../data/database/rows.ts';

/** Rows of one entity that a role shows, or that a person sees whatever their roles show. */
export interface ScopeRule {
  readonly roleId: string | null;
  readonly userId: string | null;
  readonly entity: string;
  /** 1 all, 2 own, 3 own department, 4 department and below, 5 custom. */
  readonly type: number;
  readonly condition: unknown;
  /** Rows of the person who granted it, beyond which it does not reach. */
  readonly bound: unknown;
}

/** Matches no row; replaces conditions that cannot be read. */
export const matchesNothing: ScopeCondition = { any: [] };

/** Reads the rules of roles and of a person. Call it inside `read`. */
export function rulesOf(db: Database, { roleIds = [], userId }: { readonly roleIds?: readonly string[]; readonly userId?: string }): Promise<ScopeRule[]> {
  return queryRows<ScopeRule>(
    db,
    sql`select role_id::text as "roleId", user_id::text as "userId", entity, scope_type as type, condition, bound from scope_rule
        where role_id = any(${idArray(roleIds)}) or user_id = any(${idArray(userId ? [userId] : [])}) order by entity`,
  );
}

/** Converts a rule to a part of a row scope; undefined if it shows all rows. A condition that cannot be read matches nothing. */
export function ruleScope(db: Pick<Database, 'entities'>, rule: Pick<ScopeRule, 'entity' | 'type' | 'condition' | 'bound'>): ScopePart | undefined {
  const bound: ScopePart | undefined = rule.bound ? { kind: 'custom', condition: readCondition(rule.bound) ?? matchesNothing } : undefined;
  const part = partOf(db.entities.get(rule.entity), rule);
  return part && bound ? { kind: 'both', parts: [part, bound] } : (part ?? bound);
}

function partOf(entity: Entity | undefined, { type, condition }: Pick<ScopeRule, 'type' | 'condition'>): ScopePart | undefined {
  const { user, department } = ownershipOf(entity);
  if (type === 1) return undefined;
  if (type === 2) return { kind: 'own', column: user };
  if (type === 3) return { kind: 'dept', column: department };
  if (type === 4) return { kind: 'deptAndBelow', column: department };
  return { kind: 'custom', condition: readCondition(condition) ?? matchesNothing };
}

/** Returns the paths of the user and the department that rows of an entity belong to: those that created them unless it declares others. */
export const ownershipOf = (entity: Pick<Entity, 'ownership'> | undefined) => entity?.ownership ?? { user: 'createUser', department: 'createDept' };
