/** Reads the deployment for the commands: the plugins of its manifest and, if needed, their descriptions from a built server. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { manifestPath, readManifestFile } from '../manifest.mjs';
import { idOf, pluginOf, pluginsOfTree, withAbsolutePath } from '../plugin-sources.mjs';
import { ensureBuilt, root } from '../prepare.mjs';

/** Error of a command that cannot be carried out; its message is for the user. */
export class CommandError extends Error {}

/** Formats a path for messages: relative to the working directory, with forward slashes on every system. */
export const displayPath = (path) => relative(process.cwd(), path).replaceAll('\\', '/') || '.';

export const manifestName = () => displayPath(manifestPath());

/** Returns the entries of the manifest with absolute paths. */
export const listedEntries = () => readManifestFile().manifest.plugins;

export const listedIds = () => listedEntries().map(idOf);

/** Returns the plugin for a command line argument: an id, a folder relative to the manifest, or `npm:` and a package name. */
export const pluginNamed = (entry) => pluginOf(withAbsolutePath(entry, dirname(manifestPath())));

/** Rejects ids without a folder in `src/plugins`. */
export function assertInTree(ids) {
  const known = pluginsOfTree();
  const unknown = ids.filter((id) => !known.includes(id));
  if (unknown.length > 0) throw new CommandError(`Plugin not found in src/plugins: ${unknown.join(', ')}. Available: ${known.join(', ')}.`);
}

/** Builds the deployment unless a current build exists, and describes it: its plugins as the server sees them, and the size of its console in bytes. */
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

/** Returns the plugin ids that the halves of a plugin depend on. It reads the sources, so that a plugin that does not build can be disabled too. */
export function dependenciesOf({ files }) {
  const halves = [files.console, files.server].filter(Boolean);
  return [...new Set(halves.flatMap((file) => dependenciesIn(readFileSync(file, 'utf8'))))];
}

function dependenciesIn(source) {
  const code = source.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '');
  const [, list = '', ranges = ''] = /\bdependencies:\s*(?:\[([^\]]*)\]|\{([^}]*)\})/.exec(code) ?? [];
  const ids = [...list.matchAll(/['"]([^'"]+)['"]/g), ...ranges.matchAll(/(?<=^|,)\s*['"]?([\w-]+)['"]?\s*:/g)];
  return ids.map(([, id]) => id);
}

/** Returns the ids of plugins that depend on one of `ids`, directly or indirectly. */
export function dependentsOf(ids, plugins) {
  const found = new Set(ids);
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const plugin of plugins) if (dependenciesOf(plugin).some((id) => found.has(id))) found.add(plugin.id);
  }
  return [...found].filter((id) => !ids.includes(id));
}

export const count = (number, noun) => `${number} ${noun}${number === 1 ? '' : 's'}`;
export const fromRoot = (path) => join(root, path);
