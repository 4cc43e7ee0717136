/** Compiles TypeScript modules of the project for scripts that run without the build. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rspack } from '@rsbuild/core';
import { findPackage } from './package-folder.mjs';
import { root } from './prepare.mjs';
import { sharedFolders } from './shared-folders.mjs';

/** Returns the merged exports of the modules at these paths of the project. */
export async function compiled(...paths) {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-compiled-'));
  try {
    const file = join(folder, 'main.mjs');
    await compiledTo(file, ...paths);
    return await import(pathToFileURL(file).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes one module with the merged exports of the modules at these paths of the project. */
export async function compiledTo(file, ...paths) {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-entry-'));
  try {
    const entry = join(folder, 'entry.ts');
    writeFileSync(entry, paths.map((path) => `export * from ${JSON.stringify(resolve(root, path))};\n`).join(''));
    await build({ entry, file });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function build({ entry, file }) {
  const compiler = rspack({
    context: root,
    mode: 'none',
    target: 'node20',
    entry,
    output: { path: dirname(file), filename: basename(file), module: true, library: { type: 'module' } },
    // `libpg-query` locates its WebAssembly file relative to its own module.
    externals: { 'libpg-query': `module ${pathToFileURL(join(findPackage('libpg-query') ?? root, 'wasm/index.cjs')).href}` },
    // Plugins outside of the project fall back to its packages.
    resolve: {
      extensions: ['.ts', '.mjs', '.js'],
      modules: ['node_modules', join(root, 'node_modules')],
      alias: { '#shared': sharedFolders, '#plugins': resolve(root, 'src/plugins') },
    },
    module: { rules: [{ test: /\.ts$/, loader: 'builtin:swc-loader', options: { jsc: { parser: { syntax: 'typescript' }, target: 'es2023' } } }] },
  });
  return new Promise((done, failed) => {
    compiler.run((error, stats) => {
      const failure = error ?? (stats.hasErrors() ? new Error(stats.toString({ all: false, errors: true })) : undefined);
      compiler.close((unclosed) => (failure || unclosed ? failed(failure ?? unclosed) : done()));
    });
  });
}
