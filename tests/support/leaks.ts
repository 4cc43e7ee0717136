type Schedule = (...args: never[]) => unknown;

const targets = () => [window, document, window.matchMedia('(prefers-color-scheme: dark)').constructor.prototype as EventTarget];

/** Time in milliseconds that timers have to end by themselves, as those of Arco's animations do. */
const timeoutMs = 3000;
const later = globalThis.setTimeout;

/** Tracks timers and page listeners that are set from now on; `stop` ends the tracking and returns those that were neither removed nor ended soon. */
export function watchForLeaks(): { stop(): Promise<string[]> } {
  const left = new Map<unknown, string>();
  const disposers = [...watchTimers(left), ...watchListeners(left)];
  return {
    async stop() {
      const end = Date.now() + timeoutMs;
      while ([...left.values()].some((name) => name.startsWith('timer')) && Date.now() < end) await new Promise((resolve) => later(resolve, 10));
      for (const undo of disposers) undo();
      return [...left.values()];
    },
  };
}

function watchTimers(left: Map<unknown, string>): (() => void)[] {
  const interval = replace(globalThis, 'setInterval', (original) => (...args) => {
    const id = original(...args);
    left.set(id, `interval of ${String(args[1])} ms`);
    return id;
  });
  const timeout = replace(globalThis, 'setTimeout', (original) => (...args) => {
    const [work, ...rest] = args as unknown as [() => void, ...never[]];
    const id = original(
      ...([
        () => {
          left.delete(id);
          work();
        },
        ...rest,
      ] as unknown as never[]),
    );
    left.set(id, `timer of ${String(args[1])} ms`);
    return id;
  });
  const untrack =
    (original: Schedule) =>
    (...args: never[]) => {
      left.delete(args[0]);
      return original(...args);
    };
  return [interval, timeout, replace(globalThis, 'clearInterval', untrack), replace(globalThis, 'clearTimeout', untrack)];
}

function watchListeners(left: Map<unknown, string>): (() => void)[] {
  const marks = new Map<unknown, Map<unknown, object>>();
  return targets().flatMap((target) => [
    replace(
      target as unknown as typeof globalThis,
      'addEventListener',
      (original) =>
        function (this: unknown, ...args) {
          if (String(args[0]) === 'selectionchange') return original.apply(this ?? target, args); // React adds it once per document and keeps it.
          const mark = {};
          marks.set(args[1], (marks.get(args[1]) ?? new Map()).set(args[0], mark));
          left.set(mark, `listener of "${String(args[0])}"`);
          return original.apply(this ?? target, args);
        },
    ),
    replace(
      target as unknown as typeof globalThis,
      'removeEventListener',
      (original) =>
        function (this: unknown, ...args) {
          left.delete(marks.get(args[1])?.get(args[0]));
          return original.apply(this ?? target, args);
        },
    ),
  ]);
}

function replace(owner: object, name: string, wrap: (original: Schedule) => (this: unknown, ...args: never[]) => unknown): () => void {
  const holder = owner as Record<string, Schedule>;
  const own = Object.getOwnPropertyDescriptor(owner, name);
  const wrapped = wrap(holder[name] as Schedule) as Schedule;
  holder[name] = wrapped;
  return () => {
    if (holder[name] !== wrapped) return; // Fake timers of a test have replaced it.
    if (own) Object.defineProperty(owner, name, own);
    else delete holder[name];
  };
}
