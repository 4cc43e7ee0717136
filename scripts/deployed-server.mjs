/** Loads the server of this deployment for the commands of an administrator. */

/** Directory against which relative paths in environment variables resolve: that of the caller, as in `start.mjs` of a deployment (`deployed.mjs` here). */
export const home = process.cwd();

/** Returns the functions that the server exports. */
export const loadServer = () => import(new URL('server/main.js', import.meta.url).href);
