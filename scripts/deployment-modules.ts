import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { type RsbuildPlugin, rspack } from '@rsbuild/core';
import { paletteSheet } from '../src/kernel/theme/themes.ts';
import type { Brand, Manifest } from '../src/shared/manifest.ts';

const root = resolve(import.meta.dirname, '..');

/** Where the manifest of this build stands: `MARQUEE_MANIFEST`, else `plugins.manifest.json`. */
export const manifestPath = resolve(root, process.env.MARQUEE_MANIFEST ?? 'plugins.manifest.json');

/** Reads the manifest; entries that name no folder are warned about and left out. */
export function readManifest(path = manifestPath): Manifest {
  const manifest: Manifest = { clientId: 'sryx', ...JSON.parse(readFileSync(path, 'utf8')) };
  const known = manifest.plugins.filter((entry) => {
    const exists = existsSync(pluginFile(entry, ''));
    if (!exists) console.warn(`[manifest] there is no plugin "${entry}"; it is left out`);
    return exists;
  });
  return { ...manifest, plugins: [...new Set(known)] };
}

/** An entry is the name of a folder in `src/plugins`, or the path of a folder from the manifest's own. */
const pluginFile = (entry: string, path: string) =>
  join(entry.startsWith('.') ? resolve(dirname(manifestPath), entry) : join(root, 'src/plugins', entry), path);
const idOf = (entry: string) => basename(entry);

/** The manifest as the console and the server read it: plugins by their ids. */
const named = (manifest: Manifest): Manifest => ({ ...manifest, plugins: manifest.plugins.map(idOf) });

/** Every console loads every plugin's first file, so they are one file of the build; their pages stay apart. */
function consoleModule(manifest: Manifest): string {
  const plugins = manifest.plugins
    .filter((id) => existsSync(pluginFile(id, 'console/plugin.ts')))
    .map(
      (id) =>
        `{ id: ${JSON.stringify(idOf(id))}, load: () => import(/* webpackChunkName: "plugins" */ ${JSON.stringify(pluginFile(id, 'console/plugin.ts'))}) }`,
    );
  const { imports, brand } = brandModule(manifest.brand);
  return `${imports}export const manifest = { ...${JSON.stringify(named(manifest))}, brand: ${brand} };\nexport const plugins = [${plugins.join(', ')}];\n`;
}

/** The brand as an expression: files of the manifest's folder become assets of the build, everything else stays what it is. */
function brandModule(brand: Brand | undefined): { imports: string; brand: string } {
  if (!brand) return { imports: '', brand: 'undefined' };
  const files = (['logo', 'background'] as const).filter((name) => brand[name]?.startsWith('.'));
  const imports = files.map((name) => `import ${name} from ${JSON.stringify(besideManifest(brand[name] ?? ''))};\n`).join('');
  return { imports, brand: `{ ...${JSON.stringify(brand)}, ${files.join(', ')} }` };
}

const besideManifest = (path: string) => resolve(dirname(manifestPath), path);

/** Where the page finds its icon, and what has to be copied for it. The address changes with the file's content, so browsers may keep it. */
export function faviconOf({ brand }: Manifest): { address: string; copied: { from: string; to: string }[] } {
  const own = brand?.favicon;
  if (own && !own.startsWith('.')) return { address: own, copied: [] };
  const file = own ? besideManifest(own) : join(root, 'public/icon.svg');
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
export function deploymentModules(): RsbuildPlugin {
  const at = (name: string) => join(root, 'src/.deployment', name);
  const files = { console: at('console.js'), server: at('server.js'), palettes: at('palettes.css') };
  return {
    name: 'deployment-modules',
    setup(api) {
      api.modifyRspackConfig((config, { appendPlugins }) => {
        const manifest = readManifest();
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
