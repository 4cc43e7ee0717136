import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { RsbuildPlugin } from '@rsbuild/core';
import { generatedModules } from './generated-modules.ts';
import { readManifestFile } from './manifest.mjs';
import { pluginFile, pluginOf, pluginsOfTree } from './plugin-sources.mjs';

const root = resolve(import.meta.dirname, '..');

interface Place {
  readonly id: string;
  readonly folder: string;
}

/** Returns the file of a plugin's samples: beside its tests, which a plugin outside of the tree has in its own folder. */
const samplesOf = ({ id, folder }: Place) => (folder === pluginFile(id) ? join(root, 'tests/plugins', id) : join(folder, 'tests'));

/** Generates the module that imports the contracts, the menu entries and the samples of plugins. */
function moduleText(listed: readonly Place[]): string {
  const lines: string[] = [];
  const importOf = (file: string, clause: string) => {
    if (!existsSync(file)) return '{}';
    const name = `module${lines.length}`;
    lines.push(`import ${clause.replace('$', name)} from ${JSON.stringify(file)};`);
    return name;
  };
  const isListed = (id: string) => listed.some((place) => place.id === id);
  const others = pluginsOfTree()
    .filter((id) => !isListed(id))
    .map((id) => ({ id, folder: pluginFile(id) }));
  const entry = (place: Place) => {
    const contract = importOf(join(place.folder, 'contract.ts'), '* as $');
    const menus = importOf(join(place.folder, 'menus.ts'), '* as $');
    const samples = isListed(place.id) ? importOf(join(samplesOf(place), 'samples.ts'), '$') : '{}';
    return `{ id: ${JSON.stringify(place.id)}, isListed: ${isListed(place.id)}, contract: ${contract}, menus: ${menus}, samples: ${samples} }`;
  };
  const entries = [...listed, ...others].map(entry);
  return `${lines.join('\n')}\nexport const testedPlugins = [${entries.join(', ')}];\n`;
}

/**
 * Provides `#tested-plugins`: the contracts and samples of the plugins of the manifest, which may be outside of the tree, and the contracts of the other plugins of the
 * tree, with which they share names.
 */
export function testedPlugins(): RsbuildPlugin {
  return {
    name: 'tested-plugins',
    setup(api) {
      api.modifyRspackConfig((config, { appendPlugins }) => {
        const file = join(root, 'tests/.tested-plugins.js');
        const { manifest } = readManifestFile();
        const listed = manifest.plugins.map((entry) => pluginOf(entry)).filter(({ missing }) => !missing);
        config.resolve = { ...config.resolve, alias: { ...config.resolve?.alias, '#tested-plugins$': file } };
        const { plugin } = generatedModules({ [file]: moduleText(listed) });
        if (plugin) appendPlugins(plugin);
      });
    },
  };
}
