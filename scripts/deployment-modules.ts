import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type RsbuildPlugin, rspack } from '@rsbuild/core';
import { paletteSheet } from '../src/kernel/platform/theme/themes.ts';
import type { Manifest, ManifestFile } from '../src/shared/manifest/manifest.ts';
import { generatedModules } from './generated-modules.ts';
import { manifestPath, problemsOf, readManifestFile } from './manifest.mjs';
import { packageFolder } from './package-folder.mjs';
import { type SettledOptions, settledOptions } from './plugin-options.mjs';
import { type PluginSource, pluginOf } from './plugin-sources.mjs';
import { sharedFolders } from './shared-folders.mjs';

const root = resolve(import.meta.dirname, '..');

/** Input of a build: the manifest, and its plugins with their options. */
export interface Deployment {
  readonly manifest: Manifest;
  /** Paths of the manifest, of those that it extends, and of missing plugins. */
  readonly files: readonly string[];
  readonly plugins: readonly (PluginSource & { readonly settled?: SettledOptions | undefined })[];
}

/** Error of a deployment that cannot be built; its problems begin with their paths in the manifest. */
class DeploymentError extends Error {
  constructor(
    readonly files: readonly string[],
    readonly problems: readonly string[],
  ) {
    super(`${files[0]}:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  }
}

/** Reads the deployment of this build. A manifest that violates its schema ends the build; entries without a folder are skipped with a warning. */
export async function readDeployment(path = manifestPath()): Promise<Deployment> {
  const { manifest, files } = readManifestFile(path);
  const sources = manifest.plugins.map(pluginOf);
  for (const { id } of sources.filter(({ missing }) => missing)) console.warn(`[manifest] plugin "${id}" not found, skipped`);
  const plugins = sources.filter(({ missing }) => !missing);
  const problems = [...(await problemsOf(manifest)), ...plugins.flatMap(({ id, problem }) => (problem ? [`plugins.${id}: ${problem}`] : []))];
  const { settled, problems: optionProblems } = await settledOptions(plugins);
  problems.push(...optionProblems);
  if (problems.length > 0) throw new DeploymentError(files, problems);
  const read = [...files, ...sources.filter(({ missing }) => missing).map(({ folder }) => folder)];
  return { manifest: named(manifest, plugins), files: read, plugins: plugins.map((plugin) => ({ ...plugin, settled: settled.get(plugin.id) })) };
}

/** Returns the manifest as console and server read it, with plugin ids. */
const named = (manifest: ManifestFile, plugins: readonly PluginSource[]): Manifest => ({
  ...manifest,
  clientId: manifest.clientId ?? 'sryx',
  plugins: plugins.map(({ id }) => id),
});

/** Removes paths of this machine from the manifest. */
const portable = ({ brand = {}, ...manifest }: Manifest): Manifest => ({
  ...manifest,
  brand: Object.fromEntries(Object.entries(brand).filter(([, value]) => !isFile(value))),
});

const isFile = (value: unknown): value is string => typeof value === 'string' && value.startsWith('file:');

/**
 * Generates the module that imports the plugins. Every console loads every plugin's first file, so they form one chunk; their pages stay separate. In development
 * each plugin accepts hot updates.
 */
function consoleModule({ manifest, plugins }: Deployment, isDevelopment: boolean): string {
  const remoteIds = new Set(manifest.remotes?.map(({ id }) => id));
  const updates: string[] = [];
  const entries = plugins.flatMap(({ id, files, settled }) => {
    if (!files.console || remoteIds.has(id)) return [];
    if (isDevelopment) updates.push(hotUpdate(id, files.console));
    const load = `import(/* webpackChunkName: "plugins" */ ${JSON.stringify(files.console)})`;
    const options = Object.keys(settled?.console ?? {}).length > 0 ? `.then(settled(${JSON.stringify(settled?.console)}))` : '';
    const changed = isDevelopment ? `, changed: changed(${JSON.stringify(id)})` : '';
    return [`{ id: ${JSON.stringify(id)}, load: () => ${load}${options}${changed} }`];
  });
  return `const settled = (options) => ({ default: plugin }) => ({ default: { ...plugin, options } });
export const plugins = [${entries.join(', ')}];\n${isDevelopment ? `${updateRegistry}${updates.join('')}` : ''}`;
}

/** Generates the module with the sign-in methods of the plugins, which the sign-in page contains. */
function signInModule({ plugins }: Deployment): string {
  const files = plugins.flatMap((plugin) => plugin.files.signIn ?? []);
  const imports = files.map((file, index) => `import methods${index} from ${JSON.stringify(file)};\n`).join('');
  return `${imports}export const signInMethods = [${files.map((_, index) => `...methods${index}`).join(', ')}];\n`;
}

/** Generates the module with the manifest, which the sign-in page needs before the plugins. */
function manifestModule({ manifest }: Deployment): string {
  const { brand = {} } = manifest;
  const files = (['logo', 'background'] as const).filter((name) => isFile(brand[name]));
  const imports = files.map((name) => `import ${name} from ${JSON.stringify(fileURLToPath(brand[name] as string))};\n`).join('');
  const { brand: texts, ...rest } = portable(manifest);
  const brandText = `{ ...${JSON.stringify(texts)}, ${files.join(', ')} }`;
  return `${imports}export const manifest = { ...${JSON.stringify(rest)}, brand: ${brandText} };\n`;
}

const updateRegistry = `const replacing = new Map();
function changed(id) { return (replace) => { replacing.set(id, replace); return () => replacing.delete(id); }; }
`;

/** Generates the code that receives a plugin's hot updates and passes the new plugin to the console. */
const hotUpdate = (id: string, file: string): string =>
  `if (import.meta.webpackHot) import.meta.webpackHot.accept(${JSON.stringify(file)}, () => replacing.get(${JSON.stringify(id)})?.());\n`;

/** Files that the page icon consists of. */
export interface Favicon {
  /** Address of the icon. It changes with the content of the file, so browsers can cache it. */
  readonly address: string;
  /** Address of the icon for browsers without SVG icons; only the product's own icon has one. */
  readonly bitmap: string | undefined;
  /** Files to copy into the build for the icon. */
  readonly copied: readonly { from: string; to: string }[];
  /** Files of `public` to leave out: a brand with its own icon shows none of the product's. */
  readonly ignored: readonly string[];
}

const ownIcons = ['icon.svg', 'favicon.ico'] as const;

/** Returns the icon files of the brand, or else of the product. */
export function faviconOf({ brand }: Manifest): Favicon {
  const own = brand?.favicon;
  if (own === undefined) {
    const [address, bitmap] = ownIcons.map((name) => addressOf(name, join(root, 'public', name))) as [string, string];
    return { address, bitmap, copied: [], ignored: [] };
  }
  if (!isFile(own)) return { address: own, bitmap: undefined, copied: [], ignored: ownIcons };
  const from = fileURLToPath(own);
  const to = `brand-icon${extname(from)}`;
  return { address: addressOf(to, from), bitmap: undefined, copied: [{ from, to }], ignored: ownIcons };
}

const addressOf = (name: string, file: string): string => `/${name}?${createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 10)}`;

function serverModule({ manifest, plugins }: Deployment): string {
  const lines: string[] = [];
  const installed = plugins.flatMap(({ files, settled }, index) => {
    if (!files.server) return [];
    lines.push(`import plugin${index} from ${JSON.stringify(files.server)};`);
    const migrations = migrationFiles(files.migrations).map((file, position) => {
      lines.push(`import sql${index}_${position} from ${JSON.stringify(join(files.migrations as string, file))};`);
      return `${JSON.stringify(file)}: sql${index}_${position}`;
    });
    const plugin = settled ? `{ ...plugin${index}, options: ${JSON.stringify(settled.all)} }` : `plugin${index}`;
    return [`{ plugin: ${plugin}, migrations: { ${migrations.join(', ')} } }`];
  });
  return `${lines.join('\n')}\nexport const manifest = ${JSON.stringify(portable(manifest))};\nexport const plugins = [${installed.join(', ')}];\n`;
}

const migrationFiles = (folder: string | undefined): string[] =>
  folder
    ? readdirSync(folder)
        .filter((file) => file.endsWith('.sql'))
        .sort()
    : [];

/** Generates the module with the installed versions of the packages shared with remote plugins. */
function versionsModule(): string {
  const versionOf = (folder: string) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version as string;
  const versions = Object.fromEntries(sharedPackages.map((name) => [name, versionOf(packageFolder(name))]));
  return `export const versions = ${JSON.stringify({ '#kernel': versionOf(root), ...versions })};\n`;
}

/** Generates the module that loads the public modules of the product by name, for server halves of packages. */
function modulesModule({ plugins }: Deployment): string {
  const names = [
    '#server',
    ...sharedFolders.flatMap((folder) => sourcesIn(folder).map((name) => `#shared/${name}`)),
    // The shared modules of a plugin are beside its halves.
    ...plugins.flatMap(({ id, folder }) => sourcesIn(folder).map((name) => [`#plugins/${id}/${name}`, join(folder, name)] as const)),
    ...serverPackages,
  ];
  const entries = names.map((name) => (typeof name === 'string' ? ([name, name] as const) : name));
  return `export const modules = { ${entries.map(([name, path]) => `${JSON.stringify(name)}: () => import(/* webpackMode: "eager" */ ${JSON.stringify(path)})`).join(', ')} };\n`;
}

/** Lists the modules of a folder by name. */
const sourcesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((file) => /\.[jt]s$/.test(file) && !file.endsWith('.d.ts'))
    .map((file) => file.replace(/\.[jt]s$/, ''))
    .sort();

/** Packages of which the server and the server halves of packages must have one copy. `scripts/live-package.mjs` leaves the same ones out. */
const serverPackages = ['drizzle-orm', 'typebox', 'typebox/schema'];

const sharedPackages = ['react', 'react-dom', 'rxjs', 'dayjs', '@arco-design/web-react'];

/** Public modules of the project for plugins in packages, which cannot use its `imports`. */
const publicModules = {
  '#kernel$': join(root, 'src/kernel/index.ts'),
  '#server$': join(root, 'src/server/index.ts'),
  '#shared': sharedFolders,
  '#plugins': join(root, 'src/plugins'),
  '#kit': join(root, 'tests/kit'),
};

/** Packages of which console and server must have one copy, even if a plugin's package has installed its own. */
const singletons = /^(react|react-dom|rxjs|@arco-design\/web-react|typebox|drizzle-orm)(\/|$)/;

const singleCopies = new rspack.NormalModuleReplacementPlugin(singletons, (resource) => {
  if (!resource.context.startsWith(root) || resource.context.slice(root.length).includes('node_modules')) resource.context = root;
});

/** Returns the generated modules of a deployment by their file names; `console.js` is imported as `#deployment/console`. */
export const modulesOf = (deployment: Deployment, isDevelopment = false) => ({
  'console.js': consoleModule(deployment, isDevelopment),
  'sign-in.js': signInModule(deployment),
  'manifest.js': manifestModule(deployment),
  'server.js': serverModule(deployment),
  'modules.js': modulesModule(deployment),
  'versions.js': versionsModule(),
  'palettes.css': paletteSheet(deployment.manifest.brand?.colour),
});

/** The plugin of the bundler that provides a deployment, and regenerates its modules while a build watches. */
interface DeploymentModules extends RsbuildPlugin {
  readonly deployment: Deployment;
  /**
   * Reads the deployment again and changes the modules of the running builds. Returns the deployment, and whether the builds must be started again, because their
   * configuration contains something that has changed. Throws, and changes nothing, if the deployment cannot be built.
   */
  refresh(): Promise<{ readonly deployment: Deployment; readonly isConfigurationChanged: boolean }>;
}

/**
 * Provides the manifest and its plugins as modules such as `#deployment/manifest`, `#deployment/console` and `#deployment/server`, so that the output contains nothing
 * of a plugin that is not listed.
 */
export function deploymentModules(deployment: Deployment): DeploymentModules {
  const builds: ((changed: Deployment) => void)[] = [];
  return {
    name: 'deployment-modules',
    deployment,
    async refresh() {
      const changed = await readDeployment();
      const isConfigurationChanged = configurationOf(changed) !== configurationOf(deployment);
      if (!isConfigurationChanged) for (const update of builds) update(changed);
      return { deployment: changed, isConfigurationChanged };
    },
    setup(api) {
      api.modifyRspackConfig((config, { appendPlugins, isDev }) => {
        const generatedFiles = (current: Deployment) =>
          Object.entries(modulesOf(current, isDev)).map(([name, text]) => ({ name, text, file: join(root, 'src/.deployment', name) }));
        const contents = generatedFiles(deployment);
        const alias = Object.fromEntries(contents.map(({ name, file }) => [`#deployment/${name.replace(/\.js$/, '')}$`, file]));
        // Plugins in other folders resolve packages that they do not bring themselves from the project.
        const modules = [...(config.resolve?.modules ?? ['node_modules']), join(root, 'node_modules')];
        config.resolve = { ...config.resolve, modules, alias: { ...config.resolve?.alias, ...publicModules, ...alias } };
        const texts = new Map(contents.map(({ file, text }) => [file, text]));
        const provided = generatedModules(Object.fromEntries(texts));
        appendPlugins(singleCopies);
        if (provided.plugin) appendPlugins(provided.plugin);
        builds.push((changed) => {
          for (const { file, text } of generatedFiles(changed).filter((one) => texts.get(one.file) !== one.text)) {
            texts.set(file, text);
            provided.write(file, text);
          }
        });
      });
    },
  };
}

/** Returns the parts of a deployment that `rsbuild.config.ts` puts into the configuration of a build. */
function configurationOf({ manifest, plugins }: Deployment): string {
  const packages = plugins.filter(({ use }) => use.startsWith('npm:')).map(({ folder }) => folder);
  return JSON.stringify([manifest.brand?.name ?? manifest.product.name, manifest.storagePrefix, manifest.theme, faviconOf(manifest), packages]);
}
