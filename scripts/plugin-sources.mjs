/**
 * Locates the plugins of a manifest: in the source tree, in a folder beside the manifest, or in a package. It uses Node built-ins only, so it runs on a fresh clone.
 */
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { findPackage } from './package-folder.mjs';

const root = resolve(import.meta.dirname, '..');
const pluginsFolder = join(root, 'src/plugins');

/** Normalises a manifest entry to an object. */
const normalized = (entry) => (typeof entry === 'string' ? { use: entry } : entry);

/** Returns the id of a plugin: the last part of its entry, unless its package declares another. */
export const idOf = (entry) => pluginOf(entry).id;

/** Returns the path of a file of a plugin in the source tree. */
export const pluginFile = (id, path = '') => join(pluginsFolder, id, path);

/** Returns the ids of all plugins in the source tree, whether or not a manifest lists them. */
export const pluginsOfTree = () => foldersIn(pluginsFolder);

/** Makes the paths of an entry absolute; `from` is the folder of its manifest. */
export function withAbsolutePath(entry, from) {
  const { use, ...more } = normalized(entry);
  const absolute = use.startsWith('.') ? resolve(from, use) : use.startsWith('npm:') ? `npm:${installedPackage(use.slice(4), from) ?? use.slice(4)}` : use;
  return typeof entry === 'string' ? absolute : { use: absolute, ...more };
}

/**
 * Resolves an entry to a plugin, `{ id, use, folder, files, options, missing, problem }`: the paths of its existing files, and a message if it
 * cannot be used.
 */
export function pluginOf(entry) {
  const { use, options } = normalized(entry);
  const found = use.startsWith('npm:') ? pluginOfPackage(use.slice(4)) : pluginOfFolder(resolve(pluginsFolder, use));
  return { use, options, ...found };
}

/** Finds the files of a plugin by the naming convention of the source tree. */
function pluginOfFolder(folder) {
  const file = (path) => (existsSync(join(folder, path)) ? join(folder, path) : undefined);
  const files = {
    console: file('console/plugin.ts'),
    signIn: file('console/sign-in.ts'),
    server: file('server/plugin.ts'),
    migrations: file('server/migrations'),
    options: file('options.ts'),
  };
  return { id: declaredId(folder) ?? basename(folder), folder, files, missing: !existsSync(folder) };
}

/** Returns the id in the `package.json` of a plugin in a folder of its own, whose folder can have any name. */
function declaredId(folder) {
  const packageFile = join(folder, 'package.json');
  return existsSync(packageFile) ? JSON.parse(readFileSync(packageFile, 'utf8')).marquee?.id : undefined;
}

/**
 * Finds the files that an installed package declares in its `package.json`: `"marquee": { "id", "console", "signIn", "server", "migrations", "options" }`. Of a package
 * that is not installed only the name is known.
 */
function pluginOfPackage(folderOrName) {
  const unusable = { id: basename(folderOrName), folder: folderOrName, files: {} };
  const packageFile = join(folderOrName, 'package.json');
  if (!existsSync(packageFile)) return { ...unusable, problem: `package ${folderOrName} not found in node_modules. Install it: npm install ${folderOrName}` };
  const { name, marquee } = JSON.parse(readFileSync(packageFile, 'utf8'));
  if (!marquee?.console && !marquee?.server)
    return {
      ...unusable,
      problem: `the package ${name} does not name its halves. Its package.json needs "marquee": { "console": "./…", "server": "./…" }`,
    };
  const { id = basename(name), ...paths } = marquee;
  const files = Object.fromEntries(Object.entries(paths).map(([kind, path]) => [kind, join(folderOrName, path)]));
  const absent = Object.entries(paths).find(([kind]) => !existsSync(files[kind]));
  const problem = absent && `the package ${name} has no ${absent[1]}, where its ${absent[0]} should be. Build it: npm run plugin -- build ${folderOrName}`;
  return { id, folder: folderOrName, files, problem };
}

/** Returns the folder of an installed package, beside the manifest or in the project. */
function installedPackage(name, from) {
  const folder = findPackage(name, from) ?? findPackage(name);
  return folder && realpathSync(folder);
}

const foldersIn = (folder) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
