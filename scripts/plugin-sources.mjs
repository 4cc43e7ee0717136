/** Where the plugins of a manifest are: in the tree, in a folder beside the manifest, or in a package. Node built-ins alone, so it runs on a fresh clone. */
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const pluginsFolder = join(root, 'src/plugins');

/** What an entry of a manifest says beside the plugin's name. */
const said = (entry) => (typeof entry === 'string' ? { use: entry } : entry);

/** What a plugin is called: the last part of its entry, unless its package says otherwise. */
export const idOf = (entry) => pluginOf(entry).id;

/** A file of a plugin of the tree. */
export const pluginFile = (id, path = '') => join(pluginsFolder, id, path);

/** Ids of the plugins this tree has, whether a manifest lists them or not. */
export const pluginsOfTree = () => foldersIn(pluginsFolder);

/** An entry by whose paths a plugin is found from anywhere; `from` is the folder of the manifest that has it. */
export function placed(entry, from) {
  const { use, ...more } = said(entry);
  const place = use.startsWith('.') ? resolve(from, use) : use.startsWith('npm:') ? `npm:${packageFolder(use.slice(4), from) ?? use.slice(4)}` : use;
  return typeof entry === 'string' ? place : { use: place, ...more };
}

/** The plugin an entry means, `{ id, use, folder, halves, options, missing, problem }`: files of its halves that are there, and a sentence where it cannot be used. */
export function pluginOf(entry) {
  const { use, options } = said(entry);
  const found = use.startsWith('npm:') ? pluginOfPackage(use.slice(4)) : pluginOfFolder(resolve(pluginsFolder, use));
  return { use, options, ...found };
}

/** Files named as every plugin of the tree names them. */
function pluginOfFolder(folder) {
  const file = (path) => (existsSync(join(folder, path)) ? join(folder, path) : undefined);
  const halves = {
    console: file('console/plugin.ts'),
    server: file('server/plugin.ts'),
    migrations: file('server/migrations'),
    options: file('options.ts'),
  };
  return { id: basename(folder), folder, halves, missing: !existsSync(folder) };
}

/** Files where the package says they are: `"marquee": { "id", "console", "server", "migrations", "options" }` of its `package.json`. */
function pluginOfPackage(folder) {
  const nowhere = { id: basename(folder), folder, halves: {} };
  if (!existsSync(join(folder, 'package.json')))
    return { ...nowhere, problem: `there is no package ${folder} in node_modules. Install it: npm install ${folder}` };
  const { name, marquee } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (!marquee?.console && !marquee?.server)
    return {
      ...nowhere,
      problem: `the package ${name} does not say where its halves are. Its package.json needs "marquee": { "console": "./…", "server": "./…" }`,
    };
  const { id = basename(name), ...files } = marquee;
  const halves = Object.fromEntries(Object.entries(files).map(([half, path]) => [half, join(folder, path)]));
  const absent = Object.entries(files).find(([half]) => !existsSync(halves[half]));
  const problem = absent && `the package ${name} has no ${absent[1]}, where its ${absent[0]} should be. Build it: npm run plugin -- build ${folder}`;
  return { id, folder, halves, problem };
}

/** The folder of an installed package, beside the manifest or in the project. */
function packageFolder(name, from) {
  for (let folder = from; ; folder = dirname(folder)) {
    const place = join(folder, 'node_modules', name);
    if (existsSync(place)) return realpathSync(place);
    if (folder === dirname(folder)) break;
  }
  const own = join(root, 'node_modules', name);
  return existsSync(own) ? realpathSync(own) : undefined;
}

const foldersIn = (folder) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
