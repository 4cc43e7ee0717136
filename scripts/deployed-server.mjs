/** Loads the server of this deployment for the commands of an administrator. */

/** Folder to which relative paths of the environment belong: that of the caller, as for `start.mjs`. */
export const home = process.cwd();

/** Returns the functions that the server exports. */
export const loadServer = () => import(new URL('server/main.js', import.meta.url).href);
