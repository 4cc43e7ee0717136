import { createHash } from 'node:crypto';
import { afterEach, expect, test } from '@rstest/core';
import type { RemoteListing, RemoteManifest } from '#shared/remote';
import { loadRemote } from '../../../../src/kernel/host/remote/load-remote.ts';
import { withRemotes } from '../../../../src/kernel/host/remote/remote-entry.ts';
import { testKernel } from '../../../support/test-kernel.ts';
import { named, statuses } from '../plugin-host/plugins.ts';

const address = 'https://plugins.acme.test/loyalty/manifest.json';
const manifest: RemoteManifest = { id: 'loyalty', version: '1.0.0', shared: {}, entry: { file: 'loyalty.js', integrity: 'sha384-x' } };
const fetched = globalThis.fetch;
const scripts: HTMLScriptElement[] = [];
const append = document.head.append;

/** Serves a manifest; the script that it names registers `module` or fails to load. */
function hosted(change: Partial<RemoteManifest> = {}, module?: object): RemoteListing {
  const text = JSON.stringify({ ...manifest, ...change });
  globalThis.fetch = async () => new Response(text);
  document.head.append = (...nodes) => {
    const script = nodes[0] as HTMLScriptElement;
    scripts.push(script);
    Object.assign(globalThis, { marqueeRemotes: { loyalty: module } });
    queueMicrotask(() => script.dispatchEvent(new Event(module ? 'load' : 'error')));
  };
  return { id: 'loyalty', manifest: address, integrity: `sha384-${createHash('sha384').update(text).digest('base64')}` };
}

afterEach(() => {
  globalThis.fetch = fetched;
  document.head.append = append;
  scripts.length = 0;
});

const refusal = (listing: RemoteListing) =>
  loadRemote(listing).then(
    () => undefined,
    ({ message }: Error) => message,
  );

test('runs the file that its manifest names, with its digest, and passes the options', async () => {
  const options = { properties: { rate: { default: 2 }, goal: { default: 9 } } };
  const loaded = await loadRemote({ ...hosted({ options }, { default: named('loyalty') }), options: { goal: 5 } });
  expect(loaded.default).toMatchObject({ id: 'loyalty', options: { rate: 2, goal: 5 } });
  expect(scripts.map(({ src, integrity, crossOrigin }) => ({ src, integrity, crossOrigin }))).toEqual([
    { src: 'https://plugins.acme.test/loyalty/loyalty.js', integrity: 'sha384-x', crossOrigin: 'anonymous' },
  ]);
});

test.each<[said: RegExp, change: Partial<RemoteManifest>]>([
  [/^This address provides the plugin “points”\.$/, { id: 'points' }],
  [/^It requires react \^18\.2\.0, but this console has 19\.\d+\.\d+\. Rebuild the plugin against this version\.$/, { shared: { react: '^18.2.0' } }],
  [/^It requires inversify, which this console does not provide\.$/, { shared: { inversify: '^8.0.0' } }],
  [/^Its code comes from another origin, https:\/\/evil\.test\.$/, { entry: { file: 'https://evil.test/x.js', integrity: 'sha384-x' } }],
])('none of its code runs if it is incompatible: %s', async (said, change) => {
  expect(await refusal(hosted(change, { default: named('loyalty') }))).toMatch(said);
  expect(scripts).toEqual([]);
});

test('a file other than the listed one is refused before it runs', async () => {
  const listing = { ...hosted({}, { default: named('loyalty') }), integrity: 'sha384-AAAA' };
  expect(await refusal(listing)).toBe(`The digest of ${address} does not match the registered one. Register the digest from its build.`);
  expect(scripts).toEqual([]);
});

test('failed downloads, missing exports and unexpected options are reported', async () => {
  expect(await refusal(hosted())).toBe('Could not load https://plugins.acme.test/loyalty/loyalty.js, or its digest does not match the manifest.');
  expect(await refusal(hosted({}, {}))).toBe('Its code does not contain the plugin “loyalty”.');
  const judging = hosted({}, { default: named('loyalty'), validateOptions: async () => ['goal must be integer'] });
  expect(await refusal({ ...judging, options: { goal: '5' } })).toBe('Invalid plugin options: goal must be integer.');
  globalThis.fetch = async () => new Response('', { status: 404 });
  expect(await refusal(judging)).toBe(`Could not fetch ${address}.`);
});

test('it replaces a plugin of the build with its name; if it is refused, the others run, with the cause in both languages', async () => {
  const own = (id: string) => ({ id, load: async () => ({ default: named(id) }) });
  const listing = { ...hosted(), integrity: 'sha384-AAAA' };
  const { host } = await testKernel({ plugins: [...withRemotes([own('loyalty'), own('notice')], [listing])], phaseTimeoutMs: 5000 });
  expect(statuses(host)).toEqual({ loyalty: 'quarantined: error', notice: 'running' });
  expect(host.states.find(({ id }) => id === 'loyalty')?.cause?.text).toEqual([
    `${address} 与登记的摘要不符，请登记其构建输出的摘要`,
    expect.stringContaining('does not match the registered one'),
  ]);
});
