const last = new Map<string, Promise<unknown>>();

/** Does the work while no other tab of this browser does work of the same name; where Web Locks are missing (plain HTTP) one after the other in this tab. */
export function withTabLock<Given>(name: string, work: () => Promise<Given>): Promise<Given> {
  const locks = (navigator as { locks?: LockManager }).locks;
  if (locks) return locks.request(name, work) as Promise<Given>;
  const turn = (last.get(name) ?? Promise.resolve()).then(work);
  const ended = turn.then(
    () => undefined,
    () => undefined,
  );
  last.set(name, ended);
  return turn;
}
