/** Keeps account of the databases and servers that a test file opens, because those it left open would take connections and memory from the files after it. */

/** Databases that tests have opened and not closed yet, with an error that was created in that place. Its stack is read for a database that stays open only, because the first one reads the source map of the file. */
const openDatabases = new Map<object, Error>();

/** Servers that stop with the file that has started them. */
const fileServers: { stop(): Promise<void> }[] = [];

export function databaseOpened(db: object): void {
  openDatabases.set(db, new Error('opened'));
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
  const places = [...openDatabases.values()].map(({ stack = '' }) => stack.split('\n').slice(2, 5).join('\n'));
  openDatabases.clear();
  return places;
}
