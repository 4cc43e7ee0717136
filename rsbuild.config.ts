import { createRequire, isBuiltin } from 'node:module';
import { join } from 'node:path';
import { defineConfig, type Rspack, rspack } from '@rsbuild/core';
import { pluginAssetsRetry } from '@rsbuild/plugin-assets-retry';
import { pluginReact } from '@rsbuild/plugin-react';
import { deploymentModules, faviconOf, readDeployment } from './scripts/deployment-modules.ts';

const arco = (libraryDirectory: string, style: 'css' | false) => ({
  libraryName: libraryDirectory === 'react-icon' ? '@arco-design/web-react/icon' : '@arco-design/web-react',
  libraryDirectory,
  camelToDashComponentName: false,
  style,
});

/** What Arco's table would bring along, and the generic screen never shows. */
const later = { Checkbox: 'Checkbox', Pagination: 'Pagination', VirtualList: '_class/VirtualList', Radio: 'Radio/radio', Space: 'Space' };
const fetchedLater = (name: string) => join(import.meta.dirname, `src/kernel/crud/table/Arco${name}.tsx`);
const unprepared = join(import.meta.dirname, 'src/kernel/shell/unprepared-notices.ts');
const router = join(import.meta.dirname, 'node_modules/react-router/dist/production');
/** Another with every build. */
const buildName = { 'process.env.MARQUEE_BUILD': JSON.stringify(process.env.MARQUEE_BUILD ?? 'development') };
const output = process.env.MARQUEE_OUTPUT ?? 'dist';
const deployment = await readDeployment();
const { manifest } = deployment;
const favicon = faviconOf(manifest);
const { dependencies } = createRequire(import.meta.url)('./package.json') as { dependencies: Record<string, string> };
const isInstalled = (request: string) => isBuiltin(request) || Object.keys(dependencies).some((name) => request === name || request.startsWith(`${name}/`));

/** Three tries of 40 seconds: a file that does not arrive is given up after the 120 seconds of product.md §8. */
const patience = 40_000;

/** Its text runs in the browser, so it knows nothing from here: a style sheet that hangs fails as a script does, after as long. */
const insertStyles = (link: HTMLLinkElement) => {
  document.head.appendChild(link);
  setTimeout(() => link.onerror?.({ type: 'timeout', target: link } as unknown as Event), 40_000);
};

/** Modules lent to remote plugins are fetched by consoles that have such plugins, and the worker of the sign-in page in one request without a loader of chunks. */
const unsplit: ReadonlySet<string | undefined> = new Set(['shared', 'proof-of-work']);

/** Keeps each of the unsplit chunks in one file: nothing is taken out of it, or of others for its sake. */
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

/** Console and server from one tree: `dist/console` is what a browser gets, `dist/server` what Node runs. */
export default defineConfig({
  // Without inline scripts, which the content security policy forbids. Each try has an address of its own: of one that hangs, a browser would hand out
  // the request under way. What still fails is explained where it was needed.
  plugins: [
    pluginReact(),
    deploymentModules(deployment),
    pluginAssetsRetry({ max: 2, delay: (context) => 500 * (context.times + 1), addQuery: true, inlineScript: false, minify: true }),
  ],
  tools: {
    rspack: {
      module: {
        rules: [
          { test: /\.sql$/, type: 'asset/source' },
          // The public face only passes on: whoever takes one thing from it is not handed the rest, so a plugin's first file does not bring the generic screen.
          { test: /[\\/]src[\\/]kernel[\\/]index\.ts$/, sideEffects: false },
          { test: /[\\/]node_modules[\\/]pdfjs-dist[\\/]build[\\/].+\.mjs$/, loader: join(import.meta.dirname, 'scripts/without-build-path.mjs') },
          // Since React 19 a ref is a property; the old way to it warns in development.
          { test: /[\\/]@arco-design[\\/]web-react[\\/]es[\\/]_util[\\/]react-dom\.js$/, loader: join(import.meta.dirname, 'scripts/ref-as-property.mjs') },
          // Its makers do not say so: schemas are built by functions alone, and nobody here needs its parser of types.
          { test: /[\\/]node_modules[\\/]typebox[\\/]/, sideEffects: false },
        ],
      },
    },
  },
  source: { include: deployment.plugins.filter(({ use }) => use.startsWith('npm:')).map(({ folder }) => folder) },
  // All at once: what is compiled when somebody first asks for it is a change of the running console, and one that comes too late for the next reloads it.
  dev: { lazyCompilation: false },
  performance: process.env.MARQUEE_CACHE ? { buildCache: { cacheDirectory: join(import.meta.dirname, 'node_modules/.cache/marquee') } } : {},
  // The console's environment copies what of `public` belongs to the deployment.
  server: { publicDir: false },
  output: { cleanDistPath: true },
  environments: {
    web: {
      tools: {
        cssExtract: { pluginOptions: { insert: insertStyles } },
        rspack: [
          {
            // For the server, which reads stacks by them: no file leads there, none is among those that are served, and no source is in them.
            output: {
              sourceMapFilename: '../maps/[file].map',
              devtoolModuleFilenameTemplate: 'webpack:///[resource-path]',
              chunkLoadTimeout: patience,
            },
            plugins: [
              ...Object.entries(later).map(
                ([name, path]) =>
                  new rspack.NormalModuleReplacementPlugin(new RegExp(`^(\\.\\./)+${path}$`), (resource) => {
                    if (/es[\\/]Table([\\/]|$)/.test(resource.context)) resource.request = fetchedLater(name);
                  }),
              ),
              // Fetched by whoever asks for it; the list of all that there are would bring it along.
              new rspack.NormalModuleReplacementPlugin(/^\.\/xhr\.js$/, (resource) => {
                if (/axios[\\/]lib[\\/]adapters$/.test(resource.context)) resource.request = '../helpers/null.js';
              }),
              // Arco would prepare its messages before there is one.
              new rspack.NormalModuleReplacementPlugin(/^\.\.\/(Message|Notification)$/, (resource) => {
                if (/es[\\/]ConfigProvider$/.test(resource.context)) resource.request = unprepared;
              }),
              // What its face hands out beside requests, and nobody here takes.
              new rspack.NormalModuleReplacementPlugin(/^\.\/(helpers\/HttpStatusCode|cancel\/CancelToken)\.js$/, (resource) => {
                if (/axios[\\/]lib$/.test(resource.context)) resource.request = './helpers/null.js';
              }),
            ],
            optimization: {
              // What the shell and the generic screen both use is fetched once, though neither knows that the other is there.
              splitChunks: {
                cacheGroups: {
                  kernel: { test: /[\\/]src[\\/](kernel|shared)[\\/]/, chunks: 'async', minChunks: 2, minSize: 12_000, priority: 5 },
                  // Small enough to be copied wherever it is used, and used in three places of the first list.
                  dates: { test: /[\\/]node_modules[\\/]dayjs[\\/]dayjs\.min\.js$/, chunks: 'async', enforce: true, priority: 6 },
                  // Of the first page and of the first list, each of which would bring its own.
                  buttons: {
                    test: /[\\/]@arco-design[\\/]web-react[\\/]es[\\/](Button|Radio)[\\/]/,
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
          'resize-observer-polyfill$': './src/kernel/shell/native-resize-observer.ts',
          // The package's own entries lead to its development build, warnings and all.
          'react-router$': join(router, 'index.mjs'),
          'react-router/dom$': join(router, 'dom-export.mjs'),
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
          { from: 'src/kernel/theme/pre-paint.js' },
        ],
      },
    },
    node: {
      source: { entry: { main: './src/server/main.ts' }, define: buildName },
      output: {
        target: 'node',
        module: true,
        distPath: { root: `${output}/server` },
        // What the project has installed is found when the server runs; what a package of a plugin brings along becomes part of the build.
        externals: [({ request = '' }, found) => found(undefined, isInstalled(request) ? `module ${request}` : undefined)],
      },
    },
  },
});
