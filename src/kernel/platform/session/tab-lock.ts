const lastWorkByName = new Map<string, Promise<unknown>>();

/** Milliseconds for which a lock is held after its work, because other tabs see a write to local storage later than the release of the lock. */
const lingerMs = 250;

/**
 * Runs the work while no other tab of this browser runs work of the same name; the work learns whether it had to wait for a lock that another tab may have held.
 * Without Web Locks (plain HTTP) the work of this tab runs one after another, and other tabs are not waited for, so that it is always false.
 */
export function withTabLock<Result>(name: string, work: (hasWaited: boolean) => Promise<Result>): Promise<Result> {
  const locks = (navigator as { locks?: LockManager }).locks;
  return locks ? acrossTabs(locks, name, work) : inThisTab(name, () => work(false));
}

function acrossTabs<Result>(locks: LockManager, name: string, work: (hasWaited: boolean) => Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const runThenLinger = async (hasWaited: boolean) => {
      await work(hasWaited).then(resolve, reject);
      await new Promise((done) => setTimeout(done, lingerMs));
    };
    const runOrWait = async (lock: Lock | null) => (lock ? runThenLinger(false) : void locks.request(name, () => runThenLinger(true)).catch(reject));
    locks.request(name, { ifAvailable: true }, runOrWait).catch(reject);
  });
}

function inThisTab<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const result = (lastWorkByName.get(name) ?? Promise.resolve()).then(work);
  const ended = result.then(
    () => undefined,
    () => undefined,
  );
  lastWorkByName.set(name, ended);
  return result;
}
