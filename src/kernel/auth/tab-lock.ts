const last = new Map<string, Promise<unknown>>();

/**
 * Does the work while no other tab of this browser does work of the same name, and tells it whether it had to wait for one;
 * where Web Locks are missing (plain HTTP) one after the other in this tab.
 */
export function withTabLock<Given>(name: string, work: (hasWaited: boolean) => Promise<Given>): Promise<Given> {
  const locks = (navigator as { locks?: LockManager }).locks;
  return locks ? acrossTabs(locks, name, work) : inThisTab(name, () => work(false));
}

async function acrossTabs<Given>(locks: LockManager, name: string, work: (hasWaited: boolean) => Promise<Given>): Promise<Given> {
  let turn: Promise<Given> | undefined;
  await locks.request(name, { ifAvailable: true }, (lock) => {
    if (lock) turn = work(false);
    return turn;
  });
  return turn ?? (locks.request(name, () => work(true)) as Promise<Given>);
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
