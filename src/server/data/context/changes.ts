import { ContextVariable } from '../../base/context-variable.ts';

/** One row before and after a write; a new row has no `before`, a removed one no `after`. */
export interface Change {
  readonly entity: string;
  readonly id: string;
  readonly before: Readonly<Record<string, unknown>> | undefined;
  readonly after: Readonly<Record<string, unknown>> | undefined;
}

const lists = new ContextVariable<Change[]>();

/** Runs `work` with an empty list of changes, which `changesOf` reads inside it. */
export function recordingChanges<Result>(work: () => Result): Result {
  return lists.run([], work);
}

/** Adds to the changes of the current request, without the version of the row; has no effect outside `recordingChanges`. */
export function recordChange({ before, after, ...change }: Change): void {
  lists.get()?.push({ ...change, before: withoutVersion(before), after: withoutVersion(after) });
}

function withoutVersion(row: Change['before']): Change['before'] {
  if (!row) return undefined;
  const { version: _, ...values } = row;
  return values;
}

/** Returns the changes of the current request so far, in order. A request that is rolled back has made no changes, so callers read them after the commit. */
export function changesOf(): readonly Change[] {
  return lists.get() ?? [];
}
