import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@rstest/core';
import { tarEnd, tarEntry } from '../../../../src/server/base/tar.ts';
import { PackageError, readPackage } from '../../../../src/server/platform/packages/package-file.ts';

test.each([
  ['without a package.json', {}],
  ['whose package.json is no object', { 'package.json': 'null' }],
])('a package %s is refused with a sentence', async (_case, files) => {
  const contents: Readonly<Record<string, string>> = {
    'dist/live/manifest.json': JSON.stringify({ id: 'bell', version: '1.0.0', modules: [], server: false }),
    ...files,
  };
  const list = Object.entries(contents).map(([name, text]) => `${createHash('sha256').update(text).digest('hex')}  ${name}\n`);
  const chunks: Uint8Array[] = [];
  for (const [name, text] of Object.entries({ ...contents, 'dist/SHA256SUMS': list.join('') }))
    for await (const chunk of tarEntry(`package/${name}`, Buffer.byteLength(text), [Buffer.from(text)])) chunks.push(chunk);
  await expect(readPackage(gzipSync(Buffer.concat([...chunks, tarEnd])))).rejects.toThrow(PackageError);
});
