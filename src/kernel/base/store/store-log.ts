/** One past state of a store. */
interface PastState {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly state: unknown;
}

/** A live store with its latest states, oldest first. */
export interface LoggedStore {
  readonly name: string;
  readonly history: readonly PastState[];
  /** Restores the store to one of its past states. */
  restore(state: unknown): void;
}

const maxStates = 50;

/** Tracks every live store in development through weak references. In a production build nothing is added. */
class StoreLog {
  private readonly refs: WeakRef<object>[] = [];
  private readonly entries = new WeakMap<object, { name: string; history: PastState[]; restore: (state: unknown) => void }>();

  add(store: { readonly state: unknown }, restore: (state: unknown) => void): void {
    this.refs.push(new WeakRef(store));
    this.entries.set(store, { name: store.constructor.name, history: [{ at: Date.now(), state: store.state }], restore });
  }

  changed(store: object, state: unknown): void {
    const history = this.entries.get(store)?.history;
    history?.push({ at: Date.now(), state });
    if (history && history.length > maxStates) history.shift();
  }

  get stores(): LoggedStore[] {
    return this.refs.flatMap((ref) => {
      const store = ref.deref();
      return (store && this.entries.get(store)) ?? [];
    });
  }
}

/** The stores of this console in development. */
export const storeLog = /* @__PURE__ */ new StoreLog();
