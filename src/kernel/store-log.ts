/** One state a store has been in. */
interface PastState {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly state: unknown;
}

/** A store that lives, with the states it was in lately, oldest first. */
export interface LoggedStore {
  readonly name: string;
  readonly history: readonly PastState[];
  /** Puts the store back into a state it was in. */
  restore(state: unknown): void;
}

const mostStates = 50;

/** Every store that lives while the console is developed; it keeps none alive. In the built console nothing is added. */
class StoreLog {
  private readonly known: WeakRef<object>[] = [];
  private readonly entries = new WeakMap<object, { name: string; history: PastState[]; restore: (state: unknown) => void }>();

  add(store: { readonly state: unknown }, restore: (state: unknown) => void): void {
    this.known.push(new WeakRef(store));
    this.entries.set(store, { name: store.constructor.name, history: [{ at: Date.now(), state: store.state }], restore });
  }

  changed(store: object, state: unknown): void {
    const history = this.entries.get(store)?.history;
    history?.push({ at: Date.now(), state });
    if (history && history.length > mostStates) history.shift();
  }

  get stores(): LoggedStore[] {
    return this.known.flatMap((known) => {
      const store = known.deref();
      return (store && this.entries.get(store)) ?? [];
    });
  }
}

/** The stores of this console while it is developed. */
export const storeLog = /* @__PURE__ */ new StoreLog();
