/** Implements `upgrade`: rewrites renamed or moved API uses, in all plugins of the source tree and their tests, or in the given folders. */
import { existsSync } from 'node:fs';
import { upgradeFolders } from '../upgrades.mjs';
import { assertInTree, CommandError, count, fromRoot } from './deployment.mjs';

const isPath = (name) => /[\\/]/.test(name) || name.startsWith('.');

export function run({ ids, values }) {
  assertInTree(ids.filter((id) => !isPath(id)));
  const missing = ids.filter((id) => isPath(id) && !existsSync(id));
  if (missing.length > 0) throw new CommandError(`Folder not found: ${missing.join(', ')}.`);
  const inTree = (id) => [fromRoot(`src/plugins/${id}`), fromRoot(`tests/plugins/${id}`)];
  const changed = upgradeFolders(ids.length === 0 ? inTree('') : ids.flatMap((id) => (isPath(id) ? [id] : inTree(id))), values.dry);
  for (const { file, titles } of changed) console.log(`${values.dry ? '?' : '~'} ${file}: ${titles.join('; ')}`);
  console.log(changed.length === 0 ? 'Nothing to change.' : `${count(changed.length, 'file')}. docs/upgrading-a-plugin.md lists the manual changes.`);
}
