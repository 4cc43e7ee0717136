import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type RsbuildPlugin, rspack } from '@rsbuild/core';
import { paletteSheet } from '../src/kernel/theme/themes.ts';
import type { Manifest } from '../src/shared/manifest.ts';
import { idOf, pluginFile, problemsOf, readManifestFile } from './manifest.mjs';

const root = resolve(import.meta.dirname, '..');

/** The manifest of this build; one that is not as its schema says ends the build, entries that name no folder are warned about and left out. */
export async function readManifest(): Promise<Manifest> {
  const { manifest, files } = readManifestFile();
  const problems = await problemsOf(manifest);
  if (problems.length > 0) throw new Error(`${files[0]}:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  const plugins = manifest.plugins.filter((entry) => {
    const exists = existsSync(pluginFile(entry));
    if (!exists) console.warn(`[manifest] there is no plugin "${idOf(entry)}"; it is left out`);
    return exists;
  });
  return { ...manifest, clientId: manifest.clientId ?? 'sryx', plugins };
}

/** The manifest as the console and the server read it: plugins by their ids, no file of this machine. */
const named = ({ brand = {}, ...manifest }: Manifest): Manifest => ({
  ...manifest,
  brand: Object.fromEntries(Object.entries(brand).filter(([, value]) => !isFile(value))),
  plugins: manifest.plugins.map(idOf),
});

const isFile = (value: unknown): value is string => typeof value === 'string' && value.startsWith('file:');

/** Every console loads every plugin's first file, so they are one file of the build; their pages stay apart. */
function consoleModule(manifest: Manifest): string {
  const plugins = manifest.plugins
    .filter((id) => existsSync(pluginFile(id, 'console/plugin.ts')))
    .map(
      (id) =>
        `{ id: ${JSON.stringify(idOf(id))}, load: () => import(/* webpackChunkName: "plugins" */ ${JSON.stringify(pluginFile(id, 'console/plugin.ts'))}) }`,
    );
  const { brand = {} } = manifest;
  const files = (['logo', 'background'] as const).filter((name) => isFile(brand[name]));
  const imports = files.map((name) => `import ${name} from ${JSON.stringify(fileURLToPath(brand[name] as string))};\n`).join('');
  const { brand: said, ...rest } = named(manifest);
  const looks = `{ ...${JSON.stringify(said)}, ${files.join(', ')} }`;
  return `${imports}export const manifest = { ...${JSON.stringify(rest)}, brand: ${looks} };\nexport const plugins = [${plugins.join(', ')}];\n`;
}

/** Where the page finds its icon, and what has to be copied for it. The address changes with the file's content, so browsers may keep it. */
export function faviconOf({ brand }: Manifest): { address: string; copied: { from: string; to: string }[] } {
  const own = brand?.favicon;
  if (own && !isFile(own)) return { address: own, copied: [] };
  const file = own ? fileURLToPath(own) : join(root, 'public/icon.svg');
  const name = own ? `brand-icon${extname(file)}` : 'icon.svg';
  const hash = createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 10);
  return { address: `/${name}?${hash}`, copied: own ? [{ from: file, to: name }] : [] };
}

function serverModule(manifest: Manifest): string {
  const ids = manifest.plugins.filter((id) => existsSync(pluginFile(id, 'server/plugin.ts')));
  const lines = ids.map((id, index) => `import plugin${index} from ${JSON.stringify(pluginFile(id, 'server/plugin.ts'))};`);
  const installed = ids.map((id, index) => {
    const migrations = migrationFiles(id).map((file, position) => {
      lines.push(`import sql${index}_${position} from ${JSON.stringify(pluginFile(id, `server/migrations/${file}`))};`);
      return `${JSON.stringify(file)}: sql${index}_${position}`;
    });
    return `{ plugin: plugin${index}, migrations: { ${migrations.join(', ')} } }`;
  });
  return `${lines.join('\n')}\nexport const manifest = ${JSON.stringify(named(manifest))};\nexport const plugins = [${installed.join(', ')}];\n`;
}

function migrationFiles(id: string): string[] {
  const folder = pluginFile(id, 'server/migrations');
  return existsSync(folder)
    ? readdirSync(folder)
        .filter((file) => file.endsWith('.sql'))
        .sort()
    : [];
}

/** Turns the manifest into `#deployment/console`, `#deployment/server` and `#deployment/palettes.css`: what a plugin that is not listed says is nowhere in the output. */
export function deploymentModules(manifest: Manifest): RsbuildPlugin {
  const at = (name: string) => join(root, 'src/.deployment', name);
  const files = { console: at('console.js'), server: at('server.js'), palettes: at('palettes.css') };
  return {
    name: 'deployment-modules',
    setup(api) {
      api.modifyRspackConfig((config, { appendPlugins }) => {
        const alias = { '#deployment/console$': files.console, '#deployment/server$': files.server, '#deployment/palettes.css$': files.palettes };
        config.resolve = { ...config.resolve, alias: { ...config.resolve?.alias, ...alias } };
        appendPlugins(
          new rspack.experiments.VirtualModulesPlugin({
            [files.console]: consoleModule(manifest),
            [files.server]: serverModule(manifest),
            [files.palettes]: paletteSheet(manifest.brand?.colour),
          }),
        );
      });
    },
  };
}
