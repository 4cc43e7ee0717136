/** Implements `build`: builds a plugin in its own folder, as modules for deployments that are built with it, and as a package that a running deployment installs. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { rspack } from '@rsbuild/core';
import { optionSchemas } from '../plugin-options.mjs';
import { pluginOf } from '../plugin-sources.mjs';
import { CommandError, displayPath } from './deployment.mjs';

export async function run({ ids: [folder], values: { key } }) {
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new CommandError(`Folder ${folder} not found. Example: npm run plugin -- build examples/loyalty`);
  const packed = await packPlugin(resolve(folder));
  console.log(`${packed.name} ${packed.version}: the plugin "${packed.id}", in ${displayPath(join(resolve(folder), 'dist'))}`);
  const remote = packed.source.files.console ? await (await import('../remote-package.mjs')).packRemote(packed) : undefined;
  const { packLive } = await import('../live-package.mjs');
  await packLive(packed, { integrity: remote?.integrity, key: key && resolve(key) });
  if (!remote) return;
  const { file, integrity } = remote;
  console.log(`To load it as a remote plugin, serve the files in ${displayPath(dirname(file))} and add this entry to "remotes" in the manifest:`);
  console.log(JSON.stringify({ id: packed.id, manifest: `https://…/${packed.id}/manifest.json`, integrity }, null, 2));
}

const notSources = /(^|\/)(node_modules|dist|tests?|server\/migrations)(\/|$)|\.test\.tsx?$|^[^/]+\.json$|^README/;

/** Writes the modules and returns the plugin with the name of its package. Throws an error if the folder is not a plugin. */
async function packPlugin(folder) {
  const source = pluginOf(folder);
  if (!source.files.console && !source.files.server) throw new Error(`${folder} is not a plugin: it has neither console/plugin.ts nor server/plugin.ts.`);
  const description = join(folder, 'package.json');
  if (!existsSync(description)) throw new Error(`${folder} has no package.json.`);
  const { name, version, marquee } = JSON.parse(readFileSync(description, 'utf8'));
  if (!name || !version || !marquee) throw new Error(`${description} must contain "name", "version" and "marquee" (the paths of the plugin's halves).`);
  const target = join(folder, 'dist');
  rmSync(target, { recursive: true, force: true });
  for (const file of sourcesOf(folder)) await place(file, folder, target);
  const schema = (await optionSchemas([source])).get(source.id);
  if (schema) writeFileSync(join(target, 'options.json'), `${JSON.stringify(schema, null, 2)}\n`);
  return { source, name, version, id: marquee.id ?? source.id, schema };
}

const sourcesOf = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((file) => !notSources.test(file))
    .sort();

async function place(file, folder, target) {
  const to = join(target, file.replace(/\.tsx?$/, '.js'));
  mkdirSync(dirname(to), { recursive: true });
  if (!/\.tsx?$/.test(file)) return cpSync(join(folder, file), to);
  const { code } = await rspack.experiments.swc.transform(readFileSync(join(folder, file), 'utf8'), {
    filename: file,
    jsc: {
      parser: { syntax: 'typescript', tsx: file.endsWith('.tsx') },
      target: 'es2022',
      transform: { react: { runtime: 'automatic' } },
      rewriteRelativeImportExtensions: true,
    },
  });
  writeFileSync(to, code);
}
