/** Implements `build`: builds a plugin in its own folder, as modules for deployments and, if it has a console half, for remote loading. */
import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { packPlugin } from '../plugin-package.mjs';
import { CommandError, shown } from './deployment.mjs';

export async function run({ ids: [folder] }) {
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new CommandError(`Folder ${folder} not found. Example: npm run plugin -- build examples/loyalty`);
  const packed = await packPlugin(resolve(folder));
  console.log(`${packed.name} ${packed.version}: the plugin "${packed.id}", in ${shown(join(resolve(folder), 'dist'))}`);
  if (!packed.source.halves.console) return;
  const { packRemote } = await import('../remote-package.mjs');
  const { file, integrity } = await packRemote(packed);
  console.log(`To load it as a remote plugin, serve the files in ${shown(dirname(file))} and add this entry to "remotes" in the manifest:`);
  console.log(JSON.stringify({ id: packed.id, manifest: `https://…/${packed.id}/manifest.json`, integrity }, null, 2));
}
