/**
 * Builds the console half of a plugin into `dist/remote/`, which a console can load at run time from any web server that allows its origin (CORS).
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRsbuild, rspack } from '@rsbuild/core';
import { pluginReact } from '@rsbuild/plugin-react';
import { packageFolder } from './package-folder.mjs';
import { root } from './prepare.mjs';
import { sharedFolders } from './shared-folders.mjs';

/** Maps each module that the console shares at run time to the package that determines its version. Must match `src/kernel/host/remote/load-remote.ts`. */
const sharedModules = {
  '#kernel': '.',
  react: 'react',
  'react/jsx-runtime': 'react',
  'react-dom': 'react-dom',
  rxjs: 'rxjs',
  dayjs: 'dayjs',
  '@arco-design/web-react': '@arco-design/web-react',
};
const forbiddenImports = /^(#server|node:|axios$|mitt$|inversify$|react-dom\/|rxjs\/|dayjs\/)/;

/** Builds the remote plugin. Returns the path of its manifest and the integrity hash that the deployment manifest of a console must list. */
export async function packRemote({ source, id, version, schema }) {
  const folder = join(source.folder, 'dist/remote');
  rmSync(folder, { recursive: true, force: true });
  const usedModules = new Set();
  const rsbuild = await createRsbuild({ cwd: root, rsbuildConfig: configOf({ source, id, folder, usedModules, schema }) });
  await (await rsbuild.build()).close();
  const file = readdirSync(folder).find((name) => name.startsWith(`${id}.`) && name.endsWith('.js'));
  const shared = Object.fromEntries([...usedModules].sort().map((name) => [name, `^${versionOf(sharedModules[name])}`]));
  const manifest = { id, version, shared, entry: { file, integrity: integrityOf(join(folder, file)) }, ...(schema ? { options: schema } : {}) };
  const path = join(folder, 'manifest.json');
  writeFileSync(path, `${JSON.stringify(manifest, null, 2)}\n`);
  return { file: path, integrity: integrityOf(path) };
}

const integrityOf = (file) => `sha384-${createHash('sha384').update(readFileSync(file)).digest('base64')}`;
const versionOf = (name) => JSON.parse(readFileSync(join(name === '.' ? root : packageFolder(name), 'package.json'), 'utf8')).version;

function configOf({ source, id, folder, usedModules, schema }) {
  const entry = join(source.folder, 'remote-entry.js');
  const importFromConsole = (name, expression = '') => {
    usedModules.add(name);
    return `var window.marqueeShared[${JSON.stringify(name)}]${expression}`;
  };
  const externals = ({ request = '' }, callback) => {
    if (forbiddenImports.test(request)) return callback(new Error(`Remote plugins cannot import ${request}.`));
    if (request in sharedModules) return callback(undefined, importFromConsole(request));
    const component = /^@arco-design\/web-react\/es\/(\w+)$/.exec(request)?.[1];
    return component ? callback(undefined, importFromConsole('@arco-design/web-react', `.${component}`)) : callback();
  };
  const publicModules = { '#shared': sharedFolders, '#plugins': join(root, 'src/plugins') };
  return {
    mode: 'production',
    logLevel: 'warn',
    plugins: [pluginReact({ fastRefresh: false })],
    source: {
      entry: { [id]: { import: entry, html: false } },
      include: [source.folder],
      transformImport: [{ libraryName: '@arco-design/web-react', libraryDirectory: 'es', camelToDashComponentName: false, style: 'css' }],
    },
    output: {
      target: 'web',
      distPath: { root: folder, js: '', css: '', jsAsync: '', cssAsync: '', svg: '', image: '', font: '' },
      cleanDistPath: true,
      assetPrefix: 'auto',
      filenameHash: 'contenthash:10',
      overrideBrowserslist: ['chrome >= 111', 'edge >= 111', 'firefox >= 113', 'safari >= 16.4'],
    },
    server: { publicDir: false },
    performance: { printFileSize: false },
    splitChunks: false,
    tools: {
      htmlPlugin: false,
      postcss: (_, { addPlugins }) => addPlugins(arcoLayer),
      rspack: (config, { appendPlugins }) => {
        config.externals = [externals];
        config.resolve = { ...config.resolve, modules: ['node_modules', join(root, 'node_modules')], alias: { ...config.resolve?.alias, ...publicModules } };
        config.output = {
          ...config.output,
          library: { name: ['marqueeRemotes', id], type: 'window' },
          uniqueName: `marquee-remote-${id}`,
          crossOriginLoading: 'anonymous',
          // Name of the policy in the CSP of a console that lists this plugin. Other consoles only report a violation.
          trustedTypes: { policyName: `marquee-remote-${id}`, onPolicyCreationFailure: 'continue' },
        };
        appendPlugins(new rspack.experiments.VirtualModulesPlugin({ [entry]: entryOf(source, schema) }));
        appendPlugins(new rspack.SubresourceIntegrityPlugin({ hashFuncNames: ['sha384'], htmlPlugin: false }));
        // The console already has Arco's base style sheet.
        appendPlugins(new rspack.NormalModuleReplacementPlugin(/^(\.\.\/)+style\/index\.css$/, join(import.meta.dirname, 'bundle/nothing.css')));
      },
    },
  };
}

/** Generates the source of the entry: it exports the plugin and, if there is a schema, `validateOptions`, which validates the options and returns the error messages. */
function entryOf({ files }, schema) {
  const plugin = `export { default } from ${JSON.stringify(files.console)};\n`;
  if (!schema) return plugin;
  return `${plugin}export async function validateOptions(options) {
  const { default: Schema } = await import('typebox/schema');
  return Schema.Errors(${JSON.stringify(schema)}, options)[1].filter(({ keyword }) => keyword !== 'boolean').map(({ instancePath, message }) => (instancePath.slice(1) + ' ' + message).trim());
}\n`;
}

/** Puts the styles of Arco's components in a cascade layer, so that the console's own rules override them in any load order. */
const arcoLayer = {
  postcssPlugin: 'arco-layer',
  Once(sheet, { AtRule }) {
    if (!/[\\/]@arco-design[\\/]/.test(sheet.source?.input.file ?? '')) return;
    const layer = new AtRule({ name: 'layer', params: 'arco' });
    layer.append(sheet.nodes);
    sheet.append(layer);
  },
};
