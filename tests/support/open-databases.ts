/** Keeps account of the databases and servers that a test file opens, because those it left open would take connections and memory from the files after it. */

/** Databases that tests have opened and not closed yet, with the place in which each was opened. */
const openDatabases = new Map<object, string>();

/** Servers that stop with the file that has started them. */
const fileServers: { stop(): Promise<void> }[] = [];

export function databaseOpened(db: object): void {
  const { stack = '' } = new Error('opened');
  openDatabases.set(db, stack.split('\n').slice(2, 5).join('\n'));
}

export function databaseClosed(db: object): void {
  openDatabases.delete(db);
}

/** Stops a server at the end of the current file. */
export function stopWithFile(server: { stop(): Promise<void> }): void {
  fileServers.push(server);
}

/** Stops the servers of a file; returns the places in which it opened databases that are still open, and forgets them. */
export async function endOfFile(): Promise<string[]> {
  for (const server of fileServers.splice(0)) await server.stop();
  const places = [...openDatabases.values()];
  openDatabases.clear();
  return places;
}
