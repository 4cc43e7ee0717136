import { readFileSync } from 'node:fs';
import { expect, test } from '@rstest/core';
import { senders } from './rules/requests.ts';
import { filesUnder } from './source.ts';

const consoleFiles = filesUnder('src').filter(({ path }) => /^src\/(kernel|main|plugins\/[^/]+\/console)/.test(path) && !path.endsWith('.d.ts'));

/** Files that send such requests, each with the source of its timeout. */
const limits: Readonly<Record<string, RegExp>> = {
  // Ten seconds by default; uploads have five minutes, and the stream of live events has no limit.
  'src/kernel/platform/http/axios-transport.ts': /timeoutMs = requestTimeoutMs/,
  'src/kernel/platform/http/http-client.ts': /deps\.transport\.request\(request\)/,
  'src/kernel/platform/live/live-reader.ts': /transport\.open\(\{ method: 'GET', path: liveEvents\.path/,
  // Polls a lost server every five seconds.
  'src/kernel/boot/core-services.ts': /signal: AbortSignal\.timeout\(4000\)/,
  'src/kernel/ui/files/Preview.tsx': /signal: AbortSignal\.timeout\(requestTimeoutMs\)/,
  'src/kernel/host/remote/load-remote.ts': /signal: AbortSignal\.timeout\(requestTimeoutMs\)/,
};

test('requests of the console use the transport, and the exceptions keep its time limit', () => {
  const found = consoleFiles.filter(({ text }) => senders.test(text));
  expect(found.map(({ path }) => path).sort()).toEqual(Object.keys(limits).sort());
  expect(found.filter(({ path, text }) => !limits[path]?.test(text)).map(({ path }) => path)).toEqual([]);
});

test('only uploads and the stream of live events have another limit than ten seconds', () => {
  const { text = '' } = consoleFiles.find(({ path }) => path === 'src/kernel/platform/http/axios-transport.ts') ?? {};
  const others = [...text.matchAll(/timeout: ([\w.]+)/g)].map(([, limit]) => limit);
  expect(others).toEqual(['0', 'this.timeoutMs', 'uploadTimeoutMs', 'uploadTimeoutMs']);
  expect(consoleFiles.filter(({ text: code }) => /\btransport\.open\(/.test(code)).map(({ path }) => path)).toEqual([
    'src/kernel/platform/live/live-reader.ts',
  ]);
});

test('loading a file of the console fails after three tries of 40 seconds', () => {
  const text = readFileSync('rsbuild.config.ts', 'utf8');
  const tryMs = Number(/const timeoutMs = ([\d_]+);/.exec(text)?.[1]?.replaceAll('_', ''));
  const retries = Number(/pluginAssetsRetry\(\{ max: (\d+)/.exec(text)?.[1]);
  expect(tryMs * (retries + 1)).toBe(120_000);
  expect(text).toMatch(/chunkLoadTimeout: timeoutMs\b/);
  expect(text).toContain(`target: link } as unknown as Event), ${tryMs.toLocaleString('en').replace(',', '_')});`);
});
