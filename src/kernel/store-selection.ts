/** A part of a state that can be read and waited for; the shape `useSyncExternalStore` takes. */
export interface Selection<Selected> {
  readonly read: () => Selected;
  readonly subscribe: (wake: () => void) => () => void;
}

/** What a selector gave and which keys of the state it read to do so; without `keys` it took the state whole. */
interface Reading<State, Selected> {
  readonly selected: Selected;
  readonly state: State;
  readonly keys: ReadonlySet<string> | undefined;
}

/** Runs a selector and notes the keys it reads at the state's first level; below that it sees the values themselves. */
export function readingOf<State extends object, Selected>(state: State, selector: (state: State) => Selected): Reading<State, Selected> {
  const keys = new Set<string>();
  let whole = false;
  const takeWhole = () => {
    whole = true;
  };
  const note = (key: string | symbol) => (typeof key === 'string' ? keys.add(key) : takeWhole());
  const observed = new Proxy({} as State, {
    get: (_, key) => {
      note(key);
      return Reflect.get(state, key);
    },
    has: (_, key) => {
      note(key);
      return Reflect.has(state, key);
    },
    ownKeys: () => {
      takeWhole();
      return Reflect.ownKeys(state);
    },
    getOwnPropertyDescriptor: (_, key) => {
      note(key);
      const descriptor = Reflect.getOwnPropertyDescriptor(state, key);
      return descriptor && { ...descriptor, configurable: true };
    },
  });
  const selected = selector(observed);
  if ((selected as unknown) === observed) return { selected: state as unknown as Selected, state, keys: undefined };
  return { selected, state, keys: whole ? undefined : keys };
}

/** True while what was read is what it would read now. */
export function stillHolds<State extends object>({ state: then, keys }: Reading<State, unknown>, now: State): boolean {
  if (then === now) return true;
  if (!keys) return false;
  for (const key of keys) if (!Object.is(Reflect.get(then, key), Reflect.get(now, key))) return false;
  return true;
}
