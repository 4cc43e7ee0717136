/** A TypeScript module of the project for a script that runs without the build: compiled with what it imports, and loaded. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rspack } from '@rsbuild/core';
import { root } from './prepare.mjs';

/** What the module at this path of the project exports. */
export async function compiled(path) {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-compiled-'));
  try {
    await build({ entry: resolve(root, path), folder });
    return await import(pathToFileURL(join(folder, 'main.mjs')).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function build({ entry, folder }) {
  const compiler = rspack({
    context: root,
    mode: 'none',
    target: 'node20',
    entry,
    output: { path: folder, filename: 'main.mjs', module: true, library: { type: 'module' } },
    resolve: { extensions: ['.ts', '.mjs', '.js'], alias: { '#shared': join(root, 'src/shared') } },
    module: { rules: [{ test: /\.ts$/, loader: 'builtin:swc-loader', options: { jsc: { parser: { syntax: 'typescript' }, target: 'es2023' } } }] },
  });
  return new Promise((done, failed) => {
    compiler.run((error, stats) => {
      if (error) failed(error);
      else if (stats.hasErrors()) failed(new Error(stats.toString({ all: false, errors: true })));
      else compiler.close(done);
    });
  });
}
