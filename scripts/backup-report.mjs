/** Texts and signals that `npm run backup` and `npm run restore` share. */

/** Prints a text and ends the process with this code. */
export function endWith(text, code) {
  (code === 0 ? console.log : console.error)(`\n${text}\n`);
  return process.exit(code);
}

/** Returns a signal that Ctrl-C or SIGTERM aborts, so that the command removes what it has written; a second one ends the process. */
export function untilSignal() {
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'])
    process.on(name, () => (stopping.signal.aborted ? process.exit(1) : stopping.abort(new Error('Interrupted. Nothing was kept.'))));
  return stopping.signal;
}

/** Formats the size of a database: `153 tables, 12,345 rows`. */
export function rowsOf({ tables }) {
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
  return `${Object.keys(tables).length} tables, ${rows.toLocaleString('en')} rows`;
}

/** Formats a number of bytes: `0.4 MB`. */
export const sizeText = (bytes) => `${(bytes / 1024 / 1024).toFixed(1)} MB`;
