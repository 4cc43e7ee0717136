/** Implements `remove`: deletes the folders and tests of disabled plugins. It does not change any database. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pluginOf, pluginsOfTree } from '../plugin-sources.mjs';
import { root } from '../prepare.mjs';
import { assertInTree, CommandError, count, dependentsOf, fromRoot, manifestName } from './deployment.mjs';
import { moveTogether, withWorkFolder } from './folders.mjs';
import { manifestsListing } from './manifest-edit.mjs';

export async function run({ ids, values: { force } }) {
  assertInTree(ids);
  for (const id of ids) {
    const manifests = manifestsListing(id);
    if (manifests.length > 0)
      throw new CommandError(`${id} is listed in ${manifests.join(', ')}. Disable it first: npm run plugin -- disable ${id}${ofManifest(manifests[0])}`);
  }
  const dependents = dependentsOf(ids, pluginsOfTree().map(pluginOf));
  if (dependents.length > 0)
    throw new CommandError(
      `${dependents.join(', ')} ${dependents.length === 1 ? 'needs' : 'need'} ${ids.length === 1 ? 'it' : 'them'}. Remove them first, or together.`,
    );
  const folders = ids.flatMap((id) => [`src/plugins/${id}`, `tests/plugins/${id}`]).filter((path) => existsSync(fromRoot(path)));
  const tracked = force ? [] : folders.filter(isTrackedByGit);
  if (tracked.length > 0) throw new CommandError(`Git tracks ${tracked.join(' and ')}. To delete it anyway: npm run plugin -- remove ${ids.join(' ')} --force`);
  const tables = ids.map((id) => ({ id, names: tablesOf(id) }));
  const sizes = folders.map((path) => count(filesIn(fromRoot(path)), 'file'));
  await withWorkFolder((folder) => moveTogether(folders.map((path) => ({ from: fromRoot(path), to: join(folder, path) }))));
  for (const [place, path] of folders.entries()) console.log(`- ${path} (${sizes[place]})`);
  for (const { id, names } of tables) console.log(dataSentence(id, names));
}

const ofManifest = (manifest) => (manifest === manifestName() ? '' : ` --manifest ${manifest}`);

const filesIn = (folder) => readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length;

function isTrackedByGit(path) {
  const { status, stdout } = spawnSync('git', ['ls-files', '--', path], { cwd: root, encoding: 'utf8' });
  return status === 0 && stdout.trim() !== '';
}

/** Returns the tables that the plugin's migrations create. */
function tablesOf(id) {
  const { migrations } = pluginOf(id).files;
  const files = migrations ? readdirSync(migrations).filter((file) => file.endsWith('.sql')) : [];
  const text = files.map((file) => readFileSync(join(migrations, file), 'utf8')).join('\n');
  return [...new Set([...text.matchAll(/^\s*create table (?:if not exists )?("?\w+"?)/gim)].map(([, name]) => name))];
}

const dataSentence = (id, tables) =>
  tables.length === 0
    ? `${id} had no table.`
    : `Data stays: ${tables.join(', ')}, in every database ${id} has run on. To drop it there:
  ${dropStatements(id, tables).join('\n  ')}`;

/** Returns SQL that drops a plugin's tables and deletes its entries in the migration ledger, so that a new plugin with this id starts from scratch. */
export const dropStatements = (id, tables) => [`drop table ${tables.join(', ')};`, `delete from schema_migration where plugin = '${id}';`];
