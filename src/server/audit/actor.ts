import { AsyncLocalStorage } from 'node:async_hooks';
import type { RowScope } from '../db/row-scope.ts';

/** Who is to be named as having made or changed a row. */
export interface Actor {
  readonly userId: string;
  readonly deptId: string | undefined;
  readonly tenantId: string;
  /** Aliases of their roles, where they are known. */
  readonly roles?: readonly string[];
  /** Permission codes they hold, where they are known. */
  readonly codes?: ReadonlySet<string>;
  /** All their departments. */
  readonly deptIds?: readonly string[];
  /** What they see of entities, by name; all of what is not in it. */
  readonly dataScopes?: ReadonlyMap<string, RowScope>;
}

const actors = new AsyncLocalStorage<Actor>();

/** Runs `work` in the name of `actor`: rows it saves carry this user and department. */
export function actingAs<Result>(actor: Actor, work: () => Result): Result {
  return actors.run(actor, work);
}

/** In whose name the current work runs; nobody for the server's own. */
export function currentActor(): Actor | undefined {
  return actors.getStore();
}
