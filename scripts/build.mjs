/**
 * Implements `npm run build`: builds console and server into `dist/` and compresses text files. `--manifest FILE` builds another deployment, `--output FOLDER` sets
 * the folder; both can be repeated, and the common parts of the deployments are then compiled once. `--packages` copies the npm packages that the server needs.
 */
import { basename, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { copyPackages } from './deployment-folder.mjs';
import { ensureBuilt, ensureInstalled, output } from './prepare.mjs';
import { fail } from './steps.mjs';

const several = { type: 'string', multiple: true };
const { values } = parseArgs({ options: { manifest: several, output: several, packages: { type: 'boolean' } } });
const { manifest: manifests = [undefined], output: outputs = [] } = values;
if (outputs.length > 0 && outputs.length !== manifests.length)
  fail(`Got ${manifests.length} manifests and ${outputs.length} outputs. Give one --output for each --manifest.`);
if (manifests.length > 1) process.env.MARQUEE_CACHE = '1';

await ensureInstalled();
for (const [index, manifest] of manifests.entries()) {
  if (manifest) process.env.MARQUEE_MANIFEST = manifest;
  const folder = outputs[index] ?? (manifests.length > 1 ? join('dist', basename(manifest).replace(/(\.manifest)?\.json$/, '')) : undefined);
  if (folder) process.env.MARQUEE_OUTPUT = folder;
  ensureBuilt();
  if (values.packages) copyPackages(output());
  if (manifest)
    console.log(
      `${relative(process.cwd(), output())}: start it with "node start.mjs"${values.packages ? '' : ' where its packages are, or after "npm install --omit=dev"'}.`,
    );
}
