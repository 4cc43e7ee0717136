import { type Draft, enablePatches, Immer } from 'immer';
import { BehaviorSubject, Observable } from 'rxjs';
import { storeLog } from './store-log.ts';
import { PathSubscriptions, type StatePath, type ValueAt, valueAt } from './store-paths.ts';

enablePatches();
// Freezing catches mutations in development; with a thousand rows it makes an update twenty times slower.
const immer = new Immer({ autoFreeze: process.env.NODE_ENV !== 'production' });

/** State that is changed by recipes and read by selectors. A change notifies only readers of the changed paths. */
export abstract class Store<State extends object> {
  private readonly subject: BehaviorSubject<State>;
  private readonly subscriptions = new PathSubscriptions();

  constructor(initial: State) {
    this.subject = new BehaviorSubject(initial);
    if (process.env.NODE_ENV !== 'production') storeLog.add(this, (state) => this.#restore(state as State));
  }

  get state(): State {
    return this.subject.value;
  }

  get state$(): Observable<State> {
    return this.subject;
  }

  /** Changes the state by an immer recipe; subscribers are notified only of changes. */
  protected update(recipe: (draft: Draft<State>) => Draft<State> | State | undefined): void {
    const [next, patches] = immer.produceWithPatches(this.state, recipe as (draft: Draft<State>) => Draft<State>);
    if (next === this.state) return;
    this.subject.next(next as State);
    this.subscriptions.changed(patches.map(({ path }) => path as StatePath));
    if (process.env.NODE_ENV !== 'production') storeLog.changed(this, next);
  }

  /** Changes these properties of the state. */
  protected set(part: Partial<State>): void {
    this.update((draft) => void Object.assign(draft, part));
  }

  /** Notifies all subscribers, because the changed paths are unknown. */
  #restore(state: State): void {
    this.subject.next(state);
    this.subscriptions.changed([...new Set(Object.keys(state))].map((key) => [key]));
  }

  /** Returns the result of a selector as a stream of distinct values. The selector runs again only when a key it read has changed. */
  select<Selected>(selector: (state: State) => Selected): Observable<Selected> {
    return streamOf(() => this.selection(selector));
  }

  /** Returns the value at a path as a stream of distinct values. A change notifies only the streams of the changed path. */
  at<const Path extends StatePath>(path: Path): Observable<ValueAt<State, Path>> {
    return streamOf(() => this.selectionAt(path));
  }

  /** Returns the result of a selector, to be read and subscribed to. */
  selection<Selected>(selector: (state: State) => Selected): StoreSelection<Selected> {
    let tracked = trackSelector(this.state, selector);
    const read = () => {
      if (isCurrent(tracked, this.state)) return tracked.selected;
      tracked = trackSelector(this.state, selector);
      return tracked.selected;
    };
    const subscribe = (notify: () => void) => {
      let last = read();
      let unsubscribe = this.watchKeys(tracked.keys, check);
      const watchAgain = () => {
        unsubscribe();
        unsubscribe = this.watchKeys(tracked.keys, check);
      };
      function check() {
        const before = tracked;
        const selected = read();
        if (!sameKeys(before.keys, tracked.keys)) watchAgain();
        if (Object.is(selected, last)) return;
        last = selected;
        notify();
      }
      return () => unsubscribe();
    };
    return { read, subscribe };
  }

  /** Returns the value at a path, to be read and subscribed to. */
  selectionAt<const Path extends StatePath>(path: Path): StoreSelection<ValueAt<State, Path>> {
    const read = () => valueAt(this.state, path) as ValueAt<State, Path>;
    const subscribe = (notify: () => void) => {
      let last = read();
      return this.subscriptions.add(path, () => {
        const value = read();
        if (Object.is(value, last)) return;
        last = value;
        notify();
      });
    };
    return { read, subscribe };
  }

  private watchKeys(keys: ReadonlySet<string> | undefined, notify: () => void): () => void {
    const unsubscribes = keys ? [...keys].map((key) => this.subscriptions.add([key], notify)) : [this.subscriptions.add([], notify)];
    return () => {
      for (const unsubscribe of unsubscribes) unsubscribe();
    };
  }
}

function sameKeys(before: ReadonlySet<string> | undefined, now: ReadonlySet<string> | undefined): boolean {
  return before === now || (before !== undefined && now !== undefined && before.size === now.size && [...before].every((key) => now.has(key)));
}

function streamOf<Value>(select: () => StoreSelection<Value>): Observable<Value> {
  return new Observable((subscriber) => {
    const { read, subscribe } = select();
    const unsubscribe = subscribe(() => subscriber.next(read()));
    subscriber.next(read());
    return unsubscribe;
  });
}

/** A selected part of a state that can be read and subscribed to; `useSyncExternalStore` takes its functions. */
interface StoreSelection<Selected> {
  readonly read: () => Selected;
  readonly subscribe: (notify: () => void) => () => void;
}

/** Result of a selector and the top-level keys it read; without `keys` it depends on the whole state. */
interface TrackedSelection<State, Selected> {
  readonly selected: Selected;
  readonly state: State;
  readonly keys: ReadonlySet<string> | undefined;
}

/** Runs a selector and records the top-level keys it reads; nested values are not tracked. */
function trackSelector<State extends object, Selected>(state: State, selector: (state: State) => Selected): TrackedSelection<State, Selected> {
  const keys = new Set<string>();
  let readsWholeState = false;
  const trackWholeState = () => {
    readsWholeState = true;
  };
  const track = (key: string | symbol) => (typeof key === 'string' ? keys.add(key) : trackWholeState());
  const observed = new Proxy({} as State, {
    get: (_, key) => {
      track(key);
      return Reflect.get(state, key);
    },
    has: (_, key) => {
      track(key);
      return Reflect.has(state, key);
    },
    ownKeys: () => {
      trackWholeState();
      return Reflect.ownKeys(state);
    },
    getOwnPropertyDescriptor: (_, key) => {
      track(key);
      const descriptor = Reflect.getOwnPropertyDescriptor(state, key);
      return descriptor && { ...descriptor, configurable: true };
    },
  });
  const selected = selector(observed);
  if ((selected as unknown) === observed) return { selected: state as unknown as Selected, state, keys: undefined };
  return { selected, state, keys: readsWholeState ? undefined : keys };
}

/** Tells whether the selector would still read the same values. */
function isCurrent<State extends object>({ state: before, keys }: TrackedSelection<State, unknown>, now: State): boolean {
  if (before === now) return true;
  if (!keys) return false;
  for (const key of keys) if (!Object.is(Reflect.get(before, key), Reflect.get(now, key))) return false;
  return true;
}
