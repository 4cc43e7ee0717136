/** Does the work while no other tab of this browser does work of the same name; where Web Locks are missing (plain HTTP) only this tab is known. */
export function withTabLock<Given>(name: string, work: () => Promise<Given>): Promise<Given> {
  const locks = (navigator as { locks?: LockManager }).locks;
  return locks ? (locks.request(name, work) as Promise<Given>) : work();
}
