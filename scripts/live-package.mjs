/** Builds the server half of a plugin into `dist/live/`, which a running server can load, and lists the files of the package with their digests. */
import { createHash, createPrivateKey, sign } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRsbuild } from '@rsbuild/core';
import { changesOf } from './plugin/change-log.mjs';
import { CommandError } from './plugin/deployment.mjs';
import { root } from './prepare.mjs';

/** Modules of which a server has one copy. `scripts/deployment-modules.ts` provides the same ones. */
const providedModules = /^(#server|#shared\/.+|#plugins\/.+|drizzle-orm|typebox|typebox\/schema)$/;

/** Longest path that the archive of a package can hold, below its folder `package/`. */
const maxPathLength = 90;

/** Builds the package and, with the file of a private key, signs the list of its files. */
export async function packLive({ source, id, version }, { integrity, key }) {
  const folder = join(source.folder, 'dist/live');
  mkdirSync(folder, { recursive: true });
  const used = new Set();
  if (source.files.server) {
    const rsbuild = await createRsbuild({ cwd: root, rsbuildConfig: configOf(source, folder, used) });
    await (await rsbuild.build()).close();
  }
  const halves = { modules: [...used].sort(), ...(integrity ? { console: integrity } : {}), server: source.files.server !== undefined };
  const manifest = { id, version, ...halves, changes: changesOf(source.folder, version) };
  writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  const list = listOf(source.folder);
  writeFileSync(join(source.folder, 'dist/SHA256SUMS'), list);
  if (key) writeFileSync(join(source.folder, 'dist/SHA256SUMS.sig'), `${signatureOf(list, key)}\n`);
}

/** Lists the files that a running deployment uses, in the format of `sha256sum`. */
function listOf(folder) {
  const below = (name) =>
    existsSync(join(folder, name))
      ? readdirSync(join(folder, name), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) =>
            join(entry.parentPath, entry.name)
              .slice(folder.length + 1)
              .replaceAll('\\', '/'),
          )
      : [];
  const migrations = below('server/migrations').filter((name) => /^server\/migrations\/[^/]+\.sql$/.test(name));
  const options = existsSync(join(folder, 'dist/options.json')) ? ['dist/options.json'] : [];
  const files = ['package.json', ...options, ...below('dist/live'), ...below('dist/remote'), ...migrations];
  const long = files.find((name) => Buffer.byteLength(name) > maxPathLength);
  if (long) throw new CommandError(`The path ${long} is longer than ${maxPathLength} bytes. Shorten the name of the file.`);
  const digest = (name) =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex');
  return files
    .sort()
    .map((name) => `${digest(name)}  ${name}\n`)
    .join('');
}

function signatureOf(list, file) {
  if (!existsSync(file)) throw new CommandError(`The key ${file} was not found. Make one: npm run plugin -- key ${file}`);
  return sign(null, Buffer.from(list), createPrivateKey(readFileSync(file))).toString('base64');
}

function configOf(source, folder, used) {
  const externals = ({ request = '' }, callback) => {
    if (!providedModules.test(request)) return callback();
    used.add(request);
    callback(undefined, `var globalThis.marqueeModules[${JSON.stringify(request)}]`);
  };
  return {
    mode: 'production',
    logLevel: 'warn',
    source: { entry: { server: source.files.server }, include: [source.folder] },
    // Packages are resolved as Node.js does, which does not know the condition "module" of bundlers.
    resolve: { conditionNames: ['node', 'import', 'require', 'default'] },
    output: {
      target: 'node',
      module: true,
      distPath: { root: folder, js: '' },
      filename: { js: 'server.mjs' },
      cleanDistPath: true,
      minify: false,
    },
    performance: { printFileSize: false },
    splitChunks: false,
    tools: {
      rspack: (config) => {
        config.externals = [externals];
        config.resolve = { ...config.resolve, modules: ['node_modules', join(root, 'node_modules')] };
        config.output = { ...config.output, library: { type: 'module' }, asyncChunks: false };
      },
    },
  };
}
