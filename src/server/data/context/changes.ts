import { ContextVariable } from '../../base/context-variable.ts';
import { currentActor } from './actor.ts';

/** One row before and after a write; a new row has no `before`, a removed one no `after`. A handler that changes few fields may pass only these. */
export interface Change {
  readonly entity: string;
  readonly id: string;
  readonly before: Readonly<Record<string, unknown>> | undefined;
  readonly after: Readonly<Record<string, unknown>> | undefined;
  /** Kind of the change, if it does not follow from the rows; by default `created`, `updated` or `deleted`. */
  readonly action?: 'restored' | 'archived';
  /** Tenant of the row, for work that accesses every tenant. */
  readonly tenantId?: string | undefined;
}

/** Call through which rows are changed. */
export interface ChangeSource {
  readonly method: string;
  readonly path: string;
  readonly requestId?: string;
  /** True if the call imports a sheet. */
  readonly isImport?: boolean;
}

/** A change with its tenant, author and call. */
export interface RecordedChange extends Change {
  /** Undefined for the server's own work. */
  readonly userId: string | undefined;
  readonly source: ChangeSource | undefined;
}

/** Stores the changes of a transaction, inside it. */
export type StoreChanges = (changes: readonly RecordedChange[]) => Promise<void>;

interface ChangeList {
  readonly tenantId: string | undefined;
  readonly changes: RecordedChange[];
}

const lists = new ContextVariable<ChangeList>();
const sources = new ContextVariable<ChangeSource>();

/** Runs `work` with a call to which its changes are attributed. */
export function changingThrough<Result>(source: ChangeSource, work: () => Result): Result {
  return sources.run(source, work);
}

/**
 * Runs the work of a transaction or a savepoint and collects its changes. Those of a transaction are stored before it commits; those of a savepoint are passed to the
 * surrounding work once it has succeeded. The changes of work that fails are dropped.
 */
export async function recordingChanges<Result>(
  { tenantId, store, isNested }: { readonly tenantId: string | undefined; readonly store: StoreChanges | undefined; readonly isNested: boolean },
  work: () => Promise<Result>,
): Promise<Result> {
  const outer = isNested ? lists.get() : undefined;
  const list: ChangeList = { tenantId, changes: [] };
  return lists.run(list, async () => {
    const result = await work();
    if (outer) outer.changes.push(...list.changes.splice(0));
    else if (list.changes.length > 0) await store?.(list.changes.splice(0));
    return result;
  });
}

/** Adds a change to those of the current transaction, without the version of the row. It has no effect outside of a transaction. */
export function recordChange({ before, after, tenantId, ...change }: Change): void {
  const list = lists.get();
  list?.changes.push({
    ...change,
    before: withoutVersion(before),
    after: withoutVersion(after),
    tenantId: tenantId ?? list.tenantId,
    userId: currentActor()?.userId || undefined,
    source: sources.get(),
  });
}

function withoutVersion(row: Change['before']): Change['before'] {
  if (!row) return undefined;
  const { version: _, ...values } = row;
  return values;
}

/** Returns the changes of the current transaction so far, in order, and leaves it to the caller to store them. */
export function takeChanges(): readonly RecordedChange[] {
  return lists.get()?.changes.splice(0) ?? [];
}
