/** Reads the deployment for the commands: the plugins its manifest lists and, where that takes a build, their descriptions by its server. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { manifestPath, readManifestFile } from '../manifest.mjs';
import { idOf, placed, pluginOf, pluginsOfTree } from '../plugin-sources.mjs';
import { ensureBuilt, root } from '../prepare.mjs';
import { CommandError } from './command-error.mjs';

/** A path as messages show it: from the working directory, with forward slashes on every system. */
export const shown = (path) => relative(process.cwd(), path).replaceAll('\\', '/') || '.';

export const manifestName = () => shown(manifestPath());

/** Entries of the manifest, paths made absolute. */
export const listedEntries = () => readManifestFile().manifest.plugins;

export const listedIds = () => listedEntries().map(idOf);

/** The plugin an entry of the command line means, by its id, its folder from the manifest, or `npm:` and its package. */
export const pluginNamed = (entry) => pluginOf(placed(entry, dirname(manifestPath())));

/** Refuses ids without a folder in `src/plugins`. */
export function assertInTree(ids) {
  const known = pluginsOfTree();
  const unknown = ids.filter((id) => !known.includes(id));
  if (unknown.length > 0) throw new CommandError(`There is no plugin ${unknown.join(', ')} in src/plugins. There are ${known.join(', ')}.`);
}

/** Makes a build where none is fresh, and describes it: its plugins as its server sees them, and the bytes of its console. */
export async function describeBuild(manifest, folder, { isQuiet = false } = {}) {
  Object.assign(process.env, { MARQUEE_MANIFEST: manifest, MARQUEE_OUTPUT: folder });
  const { log } = console;
  if (isQuiet) console.log = console.error;
  try {
    ensureBuilt();
  } finally {
    console.log = log;
  }
  const { describedPlugins } = await import(pathToFileURL(join(folder, 'server/main.js')).href);
  return { plugins: describedPlugins(), bytes: compressedBytes(join(folder, 'console')) };
}

function compressedBytes(folder) {
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  const files = readdirSync(join(folder, 'assets')).filter((file) => /\.(js|css)\.gz$/.test(file));
  const sum = (selected) => selected.reduce((total, file) => total + statSync(join(folder, 'assets', file)).size, 0);
  return { first: sum(files.filter((file) => page.includes(file.slice(0, -3)))), all: sum(files) };
}

/** Ids that the halves of a plugin need, read from their sources: a plugin that does not build can be disabled as well. */
export function neededBy({ halves }) {
  const files = [halves.console, halves.server].filter(Boolean);
  return [...new Set(files.flatMap((file) => needsIn(readFileSync(file, 'utf8'))))];
}

function needsIn(source) {
  const code = source.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '');
  const [, list = '', ranges = ''] = /\bneeds:\s*(?:\[([^\]]*)\]|\{([^}]*)\})/.exec(code) ?? [];
  const ids = [...list.matchAll(/['"]([^'"]+)['"]/g), ...ranges.matchAll(/(?<=^|,)\s*['"]?([\w-]+)['"]?\s*:/g)];
  return ids.map(([, id]) => id);
}

/** Ids among these plugins that need one of `ids`, directly or through another. */
export function dependentsOf(ids, plugins) {
  const found = new Set(ids);
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const plugin of plugins) if (neededBy(plugin).some((id) => found.has(id))) found.add(plugin.id);
  }
  return [...found].filter((id) => !ids.includes(id));
}

export const count = (number, noun) => `${number} ${noun}${number === 1 ? '' : 's'}`;
export const fromRoot = (path) => join(root, path);
