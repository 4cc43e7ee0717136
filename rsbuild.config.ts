import { defineConfig } from '@rsbuild/core';
import { pluginReact } from '@rsbuild/plugin-react';
import { deploymentModules, readManifest } from './scripts/deployment-modules.ts';

const arco = (libraryDirectory: string, style: 'css' | false) => ({
  libraryName: libraryDirectory === 'react-icon' ? '@arco-design/web-react/icon' : '@arco-design/web-react',
  libraryDirectory,
  camelToDashComponentName: false,
  style,
});

const output = process.env.MARQUEE_OUTPUT ?? 'dist';

/** Console and server from one tree: `dist/console` is what a browser gets, `dist/server` what Node runs. */
export default defineConfig({
  plugins: [pluginReact(), deploymentModules()],
  tools: {
    rspack: {
      module: {
        rules: [
          { test: /\.sql$/, type: 'asset/source' },
          // The public face only passes on: whoever takes one thing from it is not handed the rest, so a plugin's first file does not bring the generic screen.
          { test: /[\\/]src[\\/]kernel[\\/]index\.ts$/, sideEffects: false },
        ],
      },
    },
  },
  environments: {
    web: {
      source: { entry: { index: './src/main.tsx' }, transformImport: [arco('es', 'css'), arco('react-icon', false)] },
      html: { template: './src/index.html', templateParameters: { storagePrefix: readManifest().storagePrefix } },
      output: {
        target: 'web',
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
        copy: [{ from: 'public', noErrorOnMissing: true }, { from: 'src/kernel/theme/pre-paint.js' }],
      },
    },
    node: {
      source: { entry: { main: './src/server/main.ts' } },
      output: {
        target: 'node',
        module: true,
        distPath: { root: `${output}/server` },
        externals: [/^(node:|@?[a-z][\w.-]*(\/|$))/i],
      },
    },
  },
});
