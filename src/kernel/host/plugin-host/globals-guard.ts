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
export class GlobalMutationError extends Error {
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
export function withGlobalsGuard<Given>(work: () => Given, changed: (names: readonly string[]) => void): Given {
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
