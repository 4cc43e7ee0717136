const last = new Map<string, Promise<unknown>>();

/** Milliseconds a lock is held after its work: what the work wrote to local storage reaches other tabs later than the released lock would. */
const lingerMs = 250;

/**
 * Runs the work while no other tab of this browser runs work of the same name, and passes whether it had to wait for one. Without Web Locks (plain HTTP)
 * it serializes within this tab only.
 */
export function withTabLock<Result>(name: string, work: (hasWaited: boolean) => Promise<Result>): Promise<Result> {
  const locks = (navigator as { locks?: LockManager }).locks;
  return locks ? acrossTabs(locks, name, work) : inThisTab(name, () => work(false));
}

function acrossTabs<Given>(locks: LockManager, name: string, work: (hasWaited: boolean) => Promise<Given>): Promise<Given> {
  return new Promise((resolve, reject) => {
    const held = async (hasWaited: boolean) => {
      await work(hasWaited).then(resolve, reject);
      await new Promise((done) => setTimeout(done, lingerMs));
    };
    locks.request(name, { ifAvailable: true }, async (lock) => (lock ? held(false) : void locks.request(name, () => held(true)).catch(reject))).catch(reject);
  });
}

function inThisTab<Given>(name: string, work: () => Promise<Given>): Promise<Given> {
  const turn = (last.get(name) ?? Promise.resolve()).then(work);
  const ended = turn.then(
    () => undefined,
    () => undefined,
  );
  last.set(name, ended);
  return turn;
}
