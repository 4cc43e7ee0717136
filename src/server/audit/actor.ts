import { AsyncLocalStorage } from 'node:async_hooks';

/** Who is to be named as having made or changed a row. */
export interface Actor {
  readonly userId: string;
  readonly deptId: string | undefined;
  readonly tenantId: string;
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
