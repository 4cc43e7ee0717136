/** Loads the server for the commands of an administrator. In the folder of a deployment, `deployed-server.mjs` has this name. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt, output, root } from './prepare.mjs';

/** Directory against which relative paths in environment variables resolve: that of the repository. */
export const home = root;

/** Builds what has changed, and returns the functions that the server exports. */
export async function loadServer() {
  ensureBuilt();
  return import(pathToFileURL(join(output(), 'server/main.js')).href);
}
