import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type RsbuildPlugin, rspack } from '@rsbuild/core';
import type { Manifest } from '../src/shared/manifest.ts';

const root = resolve(import.meta.dirname, '..');

/** Where the manifest of this build stands: `MARQUEE_MANIFEST`, else `plugins.manifest.json`. */
export const manifestPath = resolve(root, process.env.MARQUEE_MANIFEST ?? 'plugins.manifest.json');

/** Reads the manifest; ids that name no folder in `src/plugins` are warned about and left out. */
export function readManifest(path = manifestPath): Manifest {
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest;
  const known = manifest.plugins.filter((id) => {
    const exists = existsSync(pluginFile(id, ''));
    if (!exists) console.warn(`[manifest] there is no plugin "${id}" in src/plugins; it is left out`);
    return exists;
  });
  return { ...manifest, plugins: [...new Set(known)] };
}

const pluginFile = (id: string, path: string) => join(root, 'src/plugins', id, path);

function consoleModule(manifest: Manifest): string {
  const plugins = manifest.plugins
    .filter((id) => existsSync(pluginFile(id, 'console/plugin.ts')))
    .map((id) => `{ id: ${JSON.stringify(id)}, load: () => import(${JSON.stringify(pluginFile(id, 'console/plugin.ts'))}) }`);
  return `export const manifest = ${JSON.stringify(manifest)};\nexport const plugins = [${plugins.join(', ')}];\n`;
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
  return `${lines.join('\n')}\nexport const manifest = ${JSON.stringify(manifest)};\nexport const plugins = [${installed.join(', ')}];\n`;
}

function migrationFiles(id: string): string[] {
  const folder = pluginFile(id, 'server/migrations');
  return existsSync(folder)
    ? readdirSync(folder)
        .filter((file) => file.endsWith('.sql'))
        .sort()
    : [];
}

/** Turns the manifest into `#deployment/console` and `#deployment/server`: what a plugin that is not listed says is nowhere in the output. */
export function deploymentModules(): RsbuildPlugin {
  const files = { console: join(root, 'src/.deployment/console.js'), server: join(root, 'src/.deployment/server.js') };
  return {
    name: 'deployment-modules',
    setup(api) {
      api.modifyRspackConfig((config, { appendPlugins }) => {
        const manifest = readManifest();
        config.resolve = { ...config.resolve, alias: { ...config.resolve?.alias, '#deployment/console$': files.console, '#deployment/server$': files.server } };
        appendPlugins(new rspack.experiments.VirtualModulesPlugin({ [files.console]: consoleModule(manifest), [files.server]: serverModule(manifest) }));
      });
    },
  };
}
