import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const { imports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Folders in which a module `#shared/<name>` is looked up, in this order; bundlers that do not read the project's `imports` take them as an alias. */
export const sharedFolders = imports['#shared/*'].map((pattern) => join(root, dirname(pattern)));

/** Returns the file of a module `#shared/<name>`. */
export const sharedModule = (name) => sharedFolders.map((folder) => join(folder, `${name}.ts`)).find(existsSync);
