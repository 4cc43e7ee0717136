/** Implements `disable`: removes plugins from the manifest. It skips the build, so that a plugin that cannot be built can be removed. */
import { readManifestFile } from '../manifest.mjs';
import { idOf, pluginOf, pluginsOfTree } from '../plugin-sources.mjs';
import { CommandError, dependentsOf, listedEntries, listedIds, manifestName } from './deployment.mjs';
import { removeFromManifest } from './manifest-edit.mjs';

export async function run({ ids }) {
  assertListed(ids);
  const entries = listedEntries();
  const dependents = dependentsOf(ids, entries.map(pluginOf));
  if (dependents.length > 0) {
    const [verb, pronoun] = [dependents.length === 1 ? 'needs' : 'need', ids.length === 1 ? 'it' : 'them'];
    throw new CommandError(
      `${dependents.join(', ')} ${verb} ${pronoun}. Disable them together: npm run plugin -- disable ${[...ids, ...dependents].join(' ')}`,
    );
  }
  await removeFromManifest(ids);
  for (const entry of entries.filter((each) => ids.includes(idOf(each)) && Object.keys(each.options ?? {}).length > 0))
    console.log(`The options of ${idOf(entry)} were removed from the manifest: ${JSON.stringify(entry.options)}`);
  console.log(`The data of ${ids.join(', ')} stays in the database and is available again once it is enabled.`);
}

/** Rejects ids that the manifest does not list. */
export function assertListed(ids) {
  const listed = listedIds();
  const remotes = (readManifestFile().manifest.remotes ?? []).map(({ id }) => id);
  for (const id of ids.filter((each) => !listed.includes(each))) {
    if (remotes.includes(id)) throw new CommandError(`${id} is a remote plugin. Remove it from "remotes" in ${manifestName()}.`);
    if (pluginsOfTree().includes(id)) throw new CommandError(`${id} is already disabled: ${manifestName()} does not list it.`);
    throw new CommandError(`Plugin ${id} not found. ${manifestName()} lists ${listed.join(', ')}.`);
  }
}
