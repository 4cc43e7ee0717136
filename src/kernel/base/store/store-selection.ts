/** A selected part of a state that can be read and subscribed to; the shape `useSyncExternalStore` takes. */
export interface Selection<Selected> {
  readonly read: () => Selected;
  readonly subscribe: (wake: () => void) => () => void;
}

/** Result of a selector and the top-level keys it read; without `keys` it depends on the whole state. */
interface TrackedSelection<State, Selected> {
  readonly selected: Selected;
  readonly state: State;
  readonly keys: ReadonlySet<string> | undefined;
}

/** Runs a selector and records the top-level keys it reads; below them it receives the plain values. */
export function trackSelector<State extends object, Selected>(state: State, selector: (state: State) => Selected): TrackedSelection<State, Selected> {
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

/** Tells whether a reading is still current. */
export function isCurrent<State extends object>({ state: then, keys }: TrackedSelection<State, unknown>, now: State): boolean {
  if (then === now) return true;
  if (!keys) return false;
  for (const key of keys) if (!Object.is(Reflect.get(then, key), Reflect.get(now, key))) return false;
  return true;
}
