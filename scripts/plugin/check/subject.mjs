/** Locates the plugins to check: in the source tree, or in a folder of their own. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { pluginFile, pluginOf, pluginsOfTree } from '../../plugin-sources.mjs';
import { root } from '../../prepare.mjs';
import { assertInTree, CommandError } from '../deployment.mjs';

/**
 * Returns the plugins that the arguments name, `{ id, folder, tests, isInTree }`. An argument is the id of a plugin in `src/plugins`, or a folder that is laid out like
 * one and has its tests in `tests`.
 */
export function subjectsOf(args) {
  const isFolder = (arg) => /[\\/]|^\.+$/.test(arg) || (!pluginsOfTree().includes(arg) && existsSync(arg) && statSync(arg).isDirectory());
  const inTree = args.filter((arg) => !isFolder(arg));
  assertInTree(inTree);
  const folders = args.filter(isFolder).map(subjectOfFolder);
  return [...inTree.map((id) => ({ id, folder: pluginFile(id), tests: join(root, 'tests/plugins', id), isInTree: true })), ...folders];
}

function subjectOfFolder(arg) {
  const folder = resolve(arg);
  if (!existsSync(folder) || !statSync(folder).isDirectory()) throw new CommandError(`Folder not found: ${arg}.`);
  const { id, files } = pluginOf(folder);
  if (folder === pluginFile(id)) return { id, folder, tests: join(root, 'tests/plugins', id), isInTree: true };
  if (!files.console && !files.server) throw new CommandError(`${arg} is not a plugin: it has neither console/plugin.ts nor server/plugin.ts.`);
  if (pluginsOfTree().includes(id)) throw new CommandError(`${arg} has the id ${id}, as src/plugins/${id} has. Choose another one.`);
  return { id, folder, tests: join(folder, 'tests'), isInTree: false };
}

/** Folders of a plugin that contain no sources of its own. */
const foreign = new Set(['node_modules', 'dist']);

/**
 * Returns the files of a plugin, `{ path, file, text }`, sorted: `path` is the one that the file has, or would have, in the source tree, `src/plugins/<id>/…` and
 * `tests/plugins/<id>/…`, to which all rules refer; `file` is its real one.
 */
export function filesOf({ id, folder, tests }) {
  const below = (from, to, isLeftOut) =>
    filesUnder(from)
      .filter((file) => !isLeftOut(file))
      .map((file) => ({ path: `${to}/${relative(from, file).replaceAll('\\', '/')}`, file, text: readFileSync(file, 'utf8') }));
  const isTest = (file) => file.startsWith(tests + sep);
  return [...below(folder, `src/plugins/${id}`, isTest), ...below(tests, `tests/plugins/${id}`, () => false)];
}

function filesUnder(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return foreign.has(entry.name) || entry.name.startsWith('.') ? [] : filesUnder(path);
      return /\.(tsx?|mts|mjs|sql|css|json)$/.test(entry.name) ? [path] : [];
    });
}
