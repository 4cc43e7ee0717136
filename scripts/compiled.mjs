/** Compiles TypeScript modules of the project for scripts that run without the build, and imports them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rspack } from '@rsbuild/core';
import { root } from './prepare.mjs';
import { sharedFolders } from './shared-folders.mjs';

/** Returns the merged exports of the modules at these paths of the project. */
export async function compiled(...paths) {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-compiled-'));
  try {
    const entry = join(folder, 'entry.ts');
    writeFileSync(entry, paths.map((path) => `export * from ${JSON.stringify(resolve(root, path))};\n`).join(''));
    await build({ entry, folder });
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
    resolve: { extensions: ['.ts', '.mjs', '.js'], alias: { '#shared': sharedFolders } },
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
