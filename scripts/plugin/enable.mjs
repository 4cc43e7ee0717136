/** Implements `enable`: adds plugins to the manifest. */
import { pluginFile } from '../plugin-sources.mjs';
import { CommandError, dependenciesOf, displayPath, listedIds, manifestName, pluginNamed } from './deployment.mjs';
import { addToManifest } from './manifest-edit.mjs';

export async function run({ ids }) {
  const listed = listedIds();
  assertUsable(ids);
  const plugins = ids.map(pluginNamed);
  const known = plugins.filter(({ id }) => listed.includes(id));
  if (known.length > 0) throw new CommandError(`${manifestName()} lists ${known.map(({ id }) => id).join(', ')} already.`);
  const together = [...listed, ...plugins.map(({ id }) => id)];
  const missing = [...new Set(plugins.flatMap(dependenciesOf))].filter((id) => !together.includes(id));
  if (missing.length > 0)
    throw new CommandError(
      `${plugins.map(({ id }) => id).join(', ')} needs ${missing.join(', ')}. Enable them together: npm run plugin -- enable ${[...ids, ...missing].join(' ')}`,
    );
  await addToManifest(ids);
}

/** Rejects entries of missing plugins and of plugins that cannot be built. */
export function assertUsable(entries) {
  for (const entry of entries) {
    const { id, folder, missing, problem, files } = pluginNamed(entry);
    if (missing) throw new CommandError(`Plugin ${id} not found in ${displayPath(entry.startsWith('.') ? folder : pluginFile(''))}.`);
    if (problem) throw new CommandError(problem);
    if (!files.console && !files.server)
      throw new CommandError(`${displayPath(folder)} is not a plugin: it has neither console/plugin.ts nor server/plugin.ts.`);
  }
}
