/** Implements `build`: builds the package of a plugin that has a folder of its own. */
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
  console.log(`To host it elsewhere, serve the files of ${shown(dirname(file))}. A manifest lists it under "remotes" as`);
  console.log(JSON.stringify({ id: packed.id, manifest: `https://…/${packed.id}/manifest.json`, integrity }, null, 2));
}
