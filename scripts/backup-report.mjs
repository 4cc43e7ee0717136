/** Texts and the abort signal that `npm run backup` and `npm run restore` share. */

/** Prints a text and ends the process with this code. */
export function endWith(text, code) {
  (code === 0 ? console.log : console.error)(`\n${text}\n`);
  return process.exit(code);
}

/** Returns an AbortSignal that fires on Ctrl-C or SIGTERM, so that the command removes its partial output; a second one ends the process. */
export function abortOnInterrupt() {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'])
    process.on(name, () => (controller.signal.aborted ? process.exit(1) : controller.abort(new Error('Interrupted. Partial output was removed.'))));
  return controller.signal;
}

/** Formats the size of a database: `153 tables, 12,345 rows`. */
export function databaseSizeText({ tables }) {
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
  return `${Object.keys(tables).length} tables, ${rows.toLocaleString('en')} rows`;
}

/** Formats a number of bytes: `0.4 MB`. */
export const sizeText = (bytes) => `${(bytes / 1024 / 1024).toFixed(1)} MB`;
