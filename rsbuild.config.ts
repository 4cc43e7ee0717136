import { readdirSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { join } from 'node:path';
import { defineConfig, type Rspack, rspack } from '@rsbuild/core';
import { pluginAssetsRetry } from '@rsbuild/plugin-assets-retry';
import { pluginReact } from '@rsbuild/plugin-react';
import { trustedRetries } from './scripts/bundle/trusted-retries.ts';
import { deploymentModules, faviconOf, readDeployment } from './scripts/deployment-modules.ts';
import { packageFolder } from './scripts/package-folder.mjs';
import { ownPolicies } from './src/shared/text/trusted-types.ts';

const arco = (libraryDirectory: string, style: 'css' | false) => ({
  libraryName: libraryDirectory === 'react-icon' ? '@arco-design/web-react/icon' : '@arco-design/web-react',
  libraryDirectory,
  camelToDashComponentName: false,
  style,
});

/** The files of `scripts/bundle` change modules of packages; its README says what each is for and what it saves. */
const bundle = join(import.meta.dirname, 'scripts/bundle');
const router = join(packageFolder('react-router'), 'dist/production');
/** Build id, new with every build. */
const buildName = { 'process.env.MARQUEE_BUILD': JSON.stringify(process.env.MARQUEE_BUILD ?? 'development') };
const output = process.env.MARQUEE_OUTPUT ?? 'dist';
const deployment = await readDeployment();
const { manifest } = deployment;
const favicon = faviconOf(manifest);
const { dependencies } = createRequire(import.meta.url)('./package.json') as { dependencies: Record<string, string> };
const isInstalled = (request: string) => isBuiltin(request) || Object.keys(dependencies).some((name) => request === name || request.startsWith(`${name}/`));

/** Cache for several builds. The bundler knows its configuration as a dependency, but not the files that replace or change modules. */
const buildCache = {
  cacheDirectory: join(import.meta.dirname, 'node_modules/.cache/marquee'),
  buildDependencies: readdirSync(bundle).map((name) => join(bundle, name)),
};

/** Timeout of one try. Together with `max: 2` retries a missing file is given up after 120 seconds. */
const timeoutMs = 40_000;

/** Inserts a style sheet with the same timeout as a script. Its source text runs in the browser, so it cannot refer to constants of this file. */
const insertStyles = (link: HTMLLinkElement) => {
  document.head.appendChild(link);
  setTimeout(() => link.onerror?.({ type: 'timeout', target: link } as unknown as Event), 40_000);
};

/** Chunks that must stay one file: the modules shared with remote plugins, and the worker of the sign-in page, which has no chunk loader. */
const unsplit: ReadonlySet<string | undefined> = new Set(['shared', 'proof-of-work']);

/** Excludes these chunks from splitting, in both directions. */
function keepWhole(config: Rspack.Configuration): void {
  const { splitChunks } = config.optimization ?? {};
  if (!splitChunks) return;
  const groups = Object.values(splitChunks.cacheGroups ?? {}).filter((group) => typeof group === 'object');
  for (const group of [splitChunks, ...groups]) {
    const { chunks = splitChunks.chunks } = group;
    group.chunks = (chunk) =>
      !unsplit.has(chunk.name) && (typeof chunks === 'function' ? chunks(chunk) : chunks === 'all' || chunk.canBeInitial() === (chunks === 'initial'));
  }
}

/** Builds console and server from one source tree: `dist/console` for browsers, `dist/server` for Node. */
export default defineConfig({
  // The retry runtime is no inline script, because the content security policy forbids those. Each try has its own address, because a browser would return the
  // pending request for the same one. The page that needs a file explains a final failure.
  plugins: [
    pluginReact(),
    deploymentModules(deployment),
    pluginAssetsRetry({ max: 2, delay: (context) => 500 * (context.times + 1), addQuery: true, inlineScript: false, minify: true }),
    trustedRetries(ownPolicies.retries),
  ],
  tools: {
    rspack: {
      module: {
        rules: [
          { test: /\.sql$/, type: 'asset/source' },
          // A process that makes a backup imports the built server by its own address, and that of a contained plugin the file beside it.
          { test: /[\\/]src[\\/]server[\\/]main\.ts$/, parser: { importMeta: false, url: false } },
          // Contracts only declare, so a page gets those that it imports, although an index re-exports them all.
          { test: /[\\/]src[\\/]shared[\\/].+\.ts$/, sideEffects: false },
          // The public index only re-exports, so that importing one name does not pull the others, such as the generic screen, into a plugin's first file.
          { test: /[\\/]src[\\/]kernel[\\/]index\.ts$/, sideEffects: false },
          { test: /[\\/]node_modules[\\/]pdfjs-dist[\\/]build[\\/].+\.mjs$/, loader: join(bundle, 'without-build-path.mjs') },
          // Since React 19 `ref` is a property; the old way to read it warns in development.
          { test: /[\\/]@arco-design[\\/]web-react[\\/]es[\\/]_util[\\/]react-dom\.js$/, loader: join(bundle, 'ref-as-property.mjs') },
          { test: /[\\/]node_modules[\\/]zrender[\\/]lib[\\/]canvas[\\/]Painter\.js$/, loader: join(bundle, 'clear-by-text-content.mjs') },
          // TypeBox does not declare this itself: its builders are side-effect free, and the console does not need its type parser.
          { test: /[\\/]node_modules[\\/]typebox[\\/]/, sideEffects: false },
        ],
      },
    },
  },
  source: { include: deployment.plugins.filter(({ use }) => use.startsWith('npm:')).map(({ folder }) => folder) },
  // Compiles everything at once. A module that is compiled on first use counts as a change of the running console, and a late one reloads it.
  dev: { lazyCompilation: false },
  performance: process.env.MARQUEE_CACHE ? { buildCache } : {},
  // The `web` environment copies the files of `public` that belong to the deployment.
  server: { publicDir: false },
  output: { cleanDistPath: true },
  environments: {
    web: {
      tools: {
        cssExtract: { pluginOptions: { insert: insertStyles } },
        rspack: [
          {
            // Source maps are for the server, which resolves stack traces with them: no file links to them, they are not served, and they contain no sources.
            output: {
              sourceMapFilename: '../maps/[file].map',
              devtoolModuleFilenameTemplate: 'webpack:///[resource-path]',
              chunkLoadTimeout: timeoutMs,
              trustedTypes: { policyName: ownPolicies.chunks },
            },
            plugins: [
              // The console imports the XHR adapter lazily; the adapter list of axios would include it in the first file.
              new rspack.NormalModuleReplacementPlugin(/^\.\/xhr\.js$/, (resource) => {
                if (/axios[\\/]lib[\\/]adapters$/.test(resource.context)) resource.request = '../helpers/null.js';
              }),
              // Arco would create its message containers on load, before one is needed.
              new rspack.NormalModuleReplacementPlugin(/^\.\.\/(Message|Notification)$/, (resource) => {
                if (/es[\\/]ConfigProvider$/.test(resource.context)) resource.request = join(bundle, 'notice-config-stub.ts');
              }),
              // Exports of axios that the console does not use.
              new rspack.NormalModuleReplacementPlugin(/^\.\/(helpers\/HttpStatusCode|cancel\/CancelToken)\.js$/, (resource) => {
                if (/axios[\\/]lib$/.test(resource.context)) resource.request = './helpers/null.js';
              }),
            ],
            optimization: {
              // Code that the shell and the generic screen share goes into a chunk of its own, so that it is loaded once.
              splitChunks: {
                cacheGroups: {
                  kernel: { test: /[\\/]src[\\/](kernel|shared)[\\/]/, chunks: 'async', minChunks: 2, minSize: 12_000, priority: 5 },
                  // Below the size limit they would be copied into each of their users on the way to the first list.
                  dates: { test: /[\\/]node_modules[\\/]dayjs[\\/](dayjs\.min|locale[\\/]zh-cn)\.js$/, chunks: 'async', enforce: true, priority: 6 },
                  // Shared by the first page and the first list, which would otherwise each contain a copy.
                  buttons: {
                    test: /[\\/]@arco-design[\\/]web-react[\\/]es[\\/]Button[\\/]/,
                    chunks: 'async',
                    name: 'buttons',
                    enforce: true,
                    priority: 6,
                  },
                },
              },
            },
          },
          keepWhole,
        ],
      },
      resolve: {
        alias: {
          'resize-observer-polyfill$': join(bundle, 'native-resize-observer.ts'),
          // The entries of the package lead to its development build.
          'react-router$': join(router, 'index.mjs'),
          'react-router/dom$': join(router, 'dom-export.mjs'),
          // The default entry is compiled for browsers without classes, which makes the first list 2 kB larger.
          rxjs$: join(packageFolder('rxjs'), 'dist/esm/index.js'),
        },
      },
      source: {
        entry: { index: './src/main.tsx' },
        define: buildName,
        transformImport: [arco('es', 'css'), arco('react-icon', false)],
      },
      html: {
        template: './src/index.html',
        title: manifest.brand?.name ?? manifest.product.name,
        templateParameters: { storagePrefix: manifest.storagePrefix, theme: manifest.theme, favicon: favicon.address },
        tags: favicon.bitmap ? [{ tag: 'link', attrs: { rel: 'icon', sizes: '32x32', href: favicon.bitmap }, append: false, publicPath: false }] : [],
      },
      output: {
        target: 'web',
        overrideBrowserslist: ['chrome >= 111', 'edge >= 111', 'firefox >= 113', 'safari >= 16.4'],
        minify: { jsOptions: { minimizerOptions: { compress: { passes: 3 } } } },
        distPath: {
          root: `${output}/console`,
          js: 'assets',
          css: 'assets',
          svg: 'assets',
          image: 'assets',
          font: 'assets',
          jsAsync: 'assets',
          cssAsync: 'assets',
        },
        filenameHash: 'contenthash:10',
        ...(process.env.NODE_ENV === 'production' ? { sourceMap: { js: 'hidden-nosources-source-map' as const } } : {}),
        copy: [
          { from: 'public', noErrorOnMissing: true, globOptions: { ignore: favicon.ignored.map((name) => `**/public/${name}`) } },
          ...favicon.copied,
          { from: 'src/kernel/platform/theme/pre-paint.js' },
        ],
      },
    },
    node: {
      source: { entry: { main: './src/server/main.ts', 'plugin-process': './src/server/plugin-process.ts' }, define: buildName },
      // Packages are resolved as Node.js does, which does not know the condition "module" of bundlers.
      resolve: { conditionNames: ['node', 'import', 'require', 'default'] },
      // Each entry has its modules in its own file, so that a changed module is a changed file.
      splitChunks: false,
      output: {
        target: 'node',
        module: true,
        distPath: { root: `${output}/server` },
        // Installed packages of the project are resolved at run time; dependencies of a plugin's package become part of the build.
        externals: [({ request = '' }, found) => found(undefined, isInstalled(request) ? `module ${request}` : undefined)],
      },
    },
  },
});
