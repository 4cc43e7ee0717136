import type { ScopeCondition } from '#shared/scopes';
import { ContextVariable } from '../../base/context-variable.ts';

/** User recorded as the author of a change. */
export interface Actor {
  readonly userId: string;
  readonly deptId: string | undefined;
  readonly tenantId: string;
  /** Role aliases of the user, if known. */
  readonly roles?: readonly string[];
  /** Permission codes of the user, if known. */
  readonly codes?: ReadonlySet<string>;
  /** All departments of the user. */
  readonly deptIds?: readonly string[];
  /** Row scopes by entity name; entities without an entry are unrestricted. */
  readonly dataScopes?: ReadonlyMap<string, RowScope>;
  /** Maximum page size for this user, if it differs from the default. */
  readonly maxPageSize?: number;
}

const actors = new ContextVariable<Actor>();

/** Runs `work` on behalf of `actor`: rows it saves carry this user and department. */
export function actingAs<Result>(actor: Actor, work: () => Result): Result {
  return actors.run(actor, work);
}

/** Runs `work` for the same actor with access to all rows and fields. Rules and settings are read this way, because they apply even to users who may not see them. */
export function withFullAccess<Result>(work: () => Result): Result {
  const actor = actors.get();
  return actor ? actors.run({ ...actor, dataScopes: new Map() }, work) : work();
}

/** Returns the actor of the current work; undefined for the server's own work. */
export function currentActor(): Actor | undefined {
  return actors.get();
}

/** One condition under which a user may see a row. A column can be a path of fields. */
export type ScopePart =
  | { readonly kind: 'own' | 'dept' | 'deptAndBelow'; readonly column: string }
  | { readonly kind: 'custom'; readonly condition: ScopeCondition }
  | { readonly kind: 'both'; readonly parts: readonly [ScopePart, ScopePart] };

/** Access of a user to an entity: these fields of the rows that match any of the parts. */
export interface RowScope {
  /** Undefined allows all rows. */
  readonly parts: readonly ScopePart[] | undefined;
  /** Undefined allows all fields. */
  readonly fields: ReadonlySet<string> | undefined;
}
