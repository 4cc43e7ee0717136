/** Locates installed packages. If npm has installed the project itself as a package, they can be in a `node_modules` above it. It uses Node built-ins only. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** Returns the folder of an installed package as Node.js resolves it from `from`, or undefined. */
export function findPackage(name, from = root) {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = join(folder, 'node_modules', name);
    if (existsSync(path)) return path;
    if (folder === dirname(folder)) return undefined;
  }
}

/** Returns the folder of a package that the project needs. Throws an error if it is not installed. */
export function packageFolder(name) {
  const folder = findPackage(name);
  if (!folder) throw new Error(`The package ${name} is not installed.`);
  return folder;
}
