import { type Cause, causes, type Phase } from '../plugin/plugin-state.ts';

/** Time limit of each phase in milliseconds. Reading may use a slow network, and its loader has a time-out of its own. */
const timeLimits: Readonly<Record<Phase, number>> = { read: 120_000, wire: 5000, start: 5000, stop: 5000 };

/** Limits of one phase. */
export interface PhaseLimits {
  readonly phase: Phase;
  /** Milliseconds, in place of the default of the phase. */
  readonly limit?: number | undefined;
  /** Aborting it ends the wait. */
  readonly signal: AbortSignal;
}

/** Runs one phase of one plugin; resolves with the cause when it throws, exceeds its time or changes shared globals. */
export async function runPhase(work: () => unknown, { phase, limit = timeLimits[phase], signal }: PhaseLimits): Promise<Cause | undefined> {
  try {
    const changed: string[] = [];
    const begun = phase === 'read' ? work() : withGlobalsGuard(work, (names) => void changed.push(...names));
    const ended = isPromise(begun) && Promise.resolve(begun);
    if (changed.length > 0) {
      if (ended) ended.catch(() => undefined);
      throw new GlobalMutationError(changed);
    }
    if (ended) await withTimeLimit(limit, () => ended, signal);
    return undefined;
  } catch (error) {
    if (error instanceof TimeLimitExceeded) return causes.timeout(phase, limit);
    return error instanceof GlobalMutationError ? causes.globalMutation(phase, error.names) : causes.error(phase, error);
  }
}

const isPromise = (value: unknown): value is PromiseLike<unknown> => typeof (value as PromiseLike<unknown> | undefined)?.then === 'function';

/** Thrown for work that did not finish in its time. */
class TimeLimitExceeded extends Error {
  override readonly name = 'TimeLimitExceeded';
}

/** Resolves as the work does, or rejects with `TimeLimitExceeded`; later results are ignored. Aborting the signal ends the wait. */
function withTimeLimit<Given>(milliseconds: number, work: () => Given | PromiseLike<Given>, signal?: AbortSignal): Promise<Given> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new TimeLimitExceeded(`not finished within ${milliseconds} ms`)), milliseconds);
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', leave);
    };
    const leave = () => {
      settle();
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', leave);
    new Promise<Given>((done) => done(work())).then(resolve, reject).finally(settle);
  });
}

/** Resolves when all works are done, or `milliseconds` after the first one resolved with `true`. */
export async function allSettledWithin(works: readonly Promise<boolean>[], milliseconds: number, signal: AbortSignal): Promise<void> {
  const all = Promise.all(works);
  const first = new Promise<void>((resolve) => {
    for (const work of works) void work.then((isSomething) => isSomething && resolve());
  });
  await Promise.race([first, all]);
  await withTimeLimit(milliseconds, () => all, signal).catch(() => undefined);
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
function withGlobalsGuard<Given>(work: () => Given, changed: (names: readonly string[]) => void): Given {
  const before = snapshot();
  try {
    return work();
  } finally {
    const found: [place: number, key: string | symbol][] = [];
    restore(before, found);
    if (found.length > 0) changed(found.map(([place, key]) => `${sharedGlobals[place]?.name}.${String(key)}`));
  }
}

/** Uses plain loops, because array methods may be among the changed functions. */
function restore(before: readonly Snapshot[], found: [place: number, key: string | symbol][]): void {
  for (let place = 0; place < before.length; place++) {
    const { owner, keys } = sharedGlobals[place] as (typeof sharedGlobals)[number];
    const { keys: own, values } = before[place] as Snapshot;
    const plain = guardedKeys[place] as readonly (string | symbol)[];
    for (let at = 0; at < plain.length; at++) {
      const key = plain[at] as string;
      if (Reflect.get(owner, key) === values[at]) continue;
      Reflect.set(owner, key, values[at]);
      found[found.length] = [place, key];
    }
    const now = keys ?? Reflect.ownKeys(owner);
    if (now.length === own.length) continue;
    const former: Record<string | symbol, true> = Object.create(null);
    for (let at = 0; at < own.length; at++) former[own[at] as string] = true;
    for (let at = 0; at < now.length; at++) {
      const key = now[at] as string;
      if (former[key] || !Reflect.deleteProperty(owner, key)) continue;
      found[found.length] = [place, key];
    }
  }
}
