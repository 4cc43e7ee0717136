import { type Cause, causes, type Phase } from '../plugin/plugin-state.ts';

/** Default time-out of each phase. Reading may use a slow network, and its loader has a time-out of its own. */
const defaultTimeoutsMs: Readonly<Record<Phase, number>> = { read: 120_000, wire: 5000, start: 5000, stop: 5000 };

/** Options of `runPhase`. */
export interface PhaseOptions {
  readonly phase: Phase;
  /** Time-out in place of the default of the phase. */
  readonly timeoutMs?: number | undefined;
  /** Aborting it ends the wait. */
  readonly signal: AbortSignal;
}

/** Runs one phase of one plugin; resolves with the cause when it throws, exceeds its time-out or changes shared globals. */
export async function runPhase(work: () => unknown, { phase, timeoutMs = defaultTimeoutsMs[phase], signal }: PhaseOptions): Promise<Cause | undefined> {
  try {
    const changed: string[] = [];
    const result = phase === 'read' ? work() : withGlobalsGuard(work, (names) => void changed.push(...names));
    const promise = isPromise(result) && Promise.resolve(result);
    if (changed.length > 0) {
      if (promise) promise.catch(() => undefined);
      throw new GlobalMutationError(changed);
    }
    if (promise) await withTimeout(timeoutMs, () => promise, signal);
    return undefined;
  } catch (error) {
    if (error instanceof PhaseTimeoutError) return causes.timeout(phase, timeoutMs);
    return error instanceof GlobalMutationError ? causes.globalMutation(phase, error.names) : causes.error(phase, error);
  }
}

const isPromise = (value: unknown): value is PromiseLike<unknown> => typeof (value as PromiseLike<unknown> | undefined)?.then === 'function';

/** Thrown for work that did not finish in its time. */
class PhaseTimeoutError extends Error {
  override readonly name = 'PhaseTimeoutError';
}

/** Settles with the work, or rejects with `PhaseTimeoutError` when it takes longer. Aborting the signal ends the wait. */
function withTimeout<Result>(milliseconds: number, work: () => Result | PromiseLike<Result>, signal?: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const timer = setTimeout(() => reject(new PhaseTimeoutError(`not finished within ${milliseconds} ms`)), milliseconds);
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    const onAbort = () => {
      settle();
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', onAbort);
    new Promise<Result>((done) => done(work())).then(resolve, reject).finally(settle);
  });
}

/** Resolves when all promises have settled, or `milliseconds` after the first one has resolved with `true`. */
export async function allSettledWithin(promises: readonly Promise<boolean>[], milliseconds: number, signal: AbortSignal): Promise<void> {
  const all = Promise.all(promises);
  const first = new Promise<void>((resolve) => {
    for (const promise of promises) void promise.then((hasSucceeded) => hasSucceeded && resolve());
  });
  await Promise.race([first, all]);
  await withTimeout(milliseconds, () => all, signal).catch(() => undefined);
}

/** Prototypes and objects that every plugin, the kernel and their libraries share: a change affects all of them. */
const sharedGlobals: readonly { readonly name: string; readonly owner: object; readonly keys?: readonly string[] }[] = [
  ...Object.entries({ Object, Array, String, Number, Function, Promise, Map, Set, Date, RegExp }).map(([name, { prototype }]) => ({
    name: `${name}.prototype`,
    owner: prototype,
  })),
  { name: 'window', owner: globalThis, keys: ['fetch', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'queueMicrotask', 'Promise'] },
];

/** Selects data properties; accessors are not read, only their presence is checked. */
const dataKeys = (owner: object): (string | symbol)[] =>
  Reflect.ownKeys(owner).filter((key) => 'value' in (Object.getOwnPropertyDescriptor(owner, key) as PropertyDescriptor));

const guardedKeys = sharedGlobals.map(({ owner, keys }) => keys ?? dataKeys(owner));

/** Attributes of the guarded properties, so that a deleted one does not come back enumerable. */
const guardedDescriptors = sharedGlobals.map(({ owner }, index) => (guardedKeys[index] ?? []).map((key) => Object.getOwnPropertyDescriptor(owner, key)));

/** Thrown when a plugin has changed shared globals; the change has been undone. */
class GlobalMutationError extends Error {
  override readonly name = 'GlobalMutationError';

  constructor(readonly names: readonly string[]) {
    super(names.join(', '));
  }
}

interface Snapshot {
  readonly keys: readonly (string | symbol)[];
  readonly values: readonly unknown[];
}

const snapshot = (): Snapshot[] =>
  sharedGlobals.map(({ owner, keys }, index) => ({
    keys: keys ?? Reflect.ownKeys(owner),
    values: (guardedKeys[index] ?? []).map((key) => Reflect.get(owner, key)),
  }));

/** Runs the work, restores the shared globals it has changed and reports their names: `Array.prototype.last`. */
function withGlobalsGuard<Result>(work: () => Result, onChanged: (names: readonly string[]) => void): Result {
  const before = snapshot();
  try {
    return work();
  } finally {
    const found: [globalIndex: number, key: string | symbol][] = [];
    restore(before, found);
    if (found.length > 0) onChanged(found.map(([index, key]) => `${sharedGlobals[index]?.name}.${String(key)}`));
  }
}

/** Uses plain loops, because array methods may be among the changed functions. */
function restore(before: readonly Snapshot[], found: [globalIndex: number, key: string | symbol][]): void {
  for (let index = 0; index < before.length; index++) {
    const { owner, keys } = sharedGlobals[index] as (typeof sharedGlobals)[number];
    const { keys: keysBefore, values } = before[index] as Snapshot;
    const comparedKeys = guardedKeys[index] as readonly (string | symbol)[];
    for (let position = 0; position < comparedKeys.length; position++) {
      const key = comparedKeys[position] as string;
      if (Reflect.get(owner, key) === values[position]) continue;
      const descriptor = guardedDescriptors[index]?.[position];
      if (descriptor && 'value' in descriptor) Reflect.defineProperty(owner, key, { ...descriptor, value: values[position] });
      else Reflect.set(owner, key, values[position]);
      found[found.length] = [index, key];
    }
    const keysNow = keys ?? Reflect.ownKeys(owner);
    if (keysNow.length === keysBefore.length) continue;
    const existed: Record<string | symbol, true> = Object.create(null);
    for (let position = 0; position < keysBefore.length; position++) existed[keysBefore[position] as string] = true;
    for (let position = 0; position < keysNow.length; position++) {
      const key = keysNow[position] as string;
      if (existed[key] || !Reflect.deleteProperty(owner, key)) continue;
      found[found.length] = [index, key];
    }
  }
}
