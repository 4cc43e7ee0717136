import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, rs, test } from '@rstest/core';
import * as Type from 'typebox';
import { ManifestSchema, type PluginEntry } from '#shared/manifest';
import { options } from '#shared/options';
import { readDeployment } from '../../scripts/deployment-modules.ts';
import { problemsOf, readManifestFile } from '../../scripts/manifest.mjs';
import { optionSchemas, settledOptions } from '../../scripts/plugin-options.mjs';
import { idOf, pluginOf, pluginsOfTree, withAbsolutePath } from '../../scripts/plugin-sources.mjs';
import { remoteProblems } from '../../scripts/remote-check.mjs';
import { themes } from '../../src/kernel/platform/theme/themes.ts';

const product = resolve('plugins.manifest.json');
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'marquee-manifest-'));
  mkdirSync(join(folder, 'deployments'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function written(name: string, content: object | string): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}
const read = (name: string, content: object | string) => readManifestFile(written(name, content));

test('the schema for editors is the one that builds validate with: after a change, `npx rstest run tests/shared/manifest -u`', async () => {
  const { required, properties: said, ...schema } = ManifestSchema;
  const declared = await optionSchemas(pluginsOfTree().map(pluginOf));
  const plugins = said.plugins as unknown as { items: object };
  const allOf = [...declared].map(([id, options]) => ({
    if: { type: 'object', properties: { use: { const: id } } },
    // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema.
    then: { properties: { options: { ...options, onServer: undefined, required: undefined } } },
  }));
  const properties = { ...said, plugins: { ...plugins, items: { ...plugins.items, allOf } } };
  const overlay = {
    $schema: { type: 'string' },
    extends: { type: 'string', description: 'The manifest this one changes, by its path from this file.' },
    with: { ...properties.plugins, description: 'Plugins in addition to those of the manifest that is extended.' },
    without: { ...properties.plugins, description: 'Plugins of the manifest that is extended and not of this one, by their names.' },
  };
  const parts = Object.fromEntries((['product', 'modes'] as const).map((key) => [key, { ...properties[key], required: undefined }]));
  const file = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'A deployment of Marquee',
    ...schema,
    properties: { ...overlay, ...properties },
    if: { required: ['extends'] },
    // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema.
    then: { properties: parts },
    else: { required },
  };
  await expect(`${JSON.stringify(file, null, 2)}\n`).toMatchFileSnapshot(resolve('src/shared/manifest.schema.json'));
  expect((ManifestSchema.properties.theme as { enum?: string[] }).enum).toEqual(Object.keys(themes));
});

test('the manifest of the product, and of the gallery, are as their schema says', async () => {
  for (const path of [product, resolve('tests/gallery.manifest.json')]) expect(await problemsOf(readManifestFile(path).manifest)).toEqual([]);
});

test('an unknown plugin in the manifest is reported and skipped', async () => {
  const warn = rs.spyOn(console, 'warn').mockReturnValue(undefined);
  process.env.MARQUEE_MANIFEST = written('unknown.manifest.json', { extends: product, plugins: ['settings', 'no-such-plugin'] });
  try {
    const { plugins, manifest } = await readDeployment();
    expect(plugins.map(({ id }) => id)).toEqual(['settings']);
    expect(manifest.plugins).toEqual(['settings']);
    expect(warn).toHaveBeenCalledWith('[manifest] plugin "no-such-plugin" not found, skipped');
  } finally {
    delete process.env.MARQUEE_MANIFEST;
    warn.mockRestore();
  }
});

describe('a manifest that extends another', () => {
  test('says only what differs', async () => {
    const { manifest, files } = read('deployments/agency.manifest.json', {
      extends: product,
      brand: { name: '灯塔', logo: './logo.svg', favicon: 'https://cdn.test/icon.svg' },
      modes: { debug: true },
      without: ['sms'],
      with: ['./lamps'],
    });
    const base = readManifestFile(product).manifest;
    expect(manifest).toEqual({
      ...base,
      brand: { name: '灯塔', logo: pathToFileURL(join(folder, 'deployments/logo.svg')).href, favicon: 'https://cdn.test/icon.svg' },
      modes: { ...base.modes, debug: true },
      plugins: [...base.plugins.filter((entry) => entry !== 'sms'), join(folder, 'deployments/lamps')],
    });
    expect(files).toEqual([join(folder, 'deployments/agency.manifest.json'), product]);
    expect(await problemsOf(manifest)).toEqual([]);
  });

  test('may be extended itself, its own files still named from its own folder', () => {
    written('middle.manifest.json', { extends: product, brand: { logo: './logo.svg', colour: '#123456' }, plugins: ['task', 'settings'] });
    const { manifest } = read('deployments/outer.manifest.json', { extends: '../middle.manifest.json', brand: { colour: '#abcdef' }, without: ['task'] });
    expect(manifest.brand).toEqual({ logo: pathToFileURL(join(folder, 'logo.svg')).href, colour: '#abcdef' });
    expect(manifest.plugins).toEqual(['settings']);
  });

  test('never extends itself, nor one that is not there', () => {
    written('one.manifest.json', { extends: './two.manifest.json' });
    expect(() => read('two.manifest.json', { extends: './one.manifest.json' })).toThrow(/two\.manifest\.json extends itself: .*two.* → .*one.* → .*two/);
    expect(() => read('three.manifest.json', { extends: './gone.manifest.json' })).toThrow(/manifest .*gone\.manifest\.json not found/);
    expect(() => read('five.manifest.json', { extends: product, without: ['smss'] })).toThrow(
      /five\.manifest\.json lists smss in "without", but plugins\.manifest\.json does not list them/,
    );
    expect(() => read('four.manifest.json', '{ "plugins": [')).toThrow(/four\.manifest\.json is not JSON/);
  });
});

describe('options of a plugin', () => {
  const settle = async (...plugins: readonly object[]) => {
    const { manifest } = read('options.manifest.json', { extends: product, with: plugins });
    const { settled, problems } = await settledOptions(manifest.plugins.map(pluginOf));
    return { manifest, problems: [...(await problemsOf(manifest)), ...problems], of: (id: string) => settled.get(id) };
  };

  test('have their defaults; server-only ones are kept from the console', async () => {
    const { problems, of } = await settle({ use: 'dashboard', options: { days: 7 } });
    expect(problems).toEqual([]);
    expect(of('dashboard')).toEqual({ all: { days: 7 }, console: { days: 7 } });
    expect(of('sms')).toEqual({ all: { codeMinutes: 5, codeTries: 5 }, console: {} });
    expect(of('notice')).toBeUndefined();
  });

  test('are overridden one by one by an extending manifest', async () => {
    written('shop.manifest.json', { extends: product, with: [{ use: 'sms', options: { codeMinutes: 9, codeTries: 2 } }] });
    const { manifest } = read('branch.manifest.json', { extends: './shop.manifest.json', with: [{ use: 'sms', options: { codeTries: 3 } }] });
    expect(manifest.plugins.filter((entry) => idOf(entry) === 'sms')).toEqual([{ use: 'sms', options: { codeMinutes: 9, codeTries: 3 } }]);
  });

  test('that do not fit are refused with their place', async () => {
    const { problems } = await settle(
      { use: 'dashboard', options: { days: 8 } },
      { use: 'sms', options: { codeMinutes: '5', secret: 1 } },
      { use: 'notice', options: { loud: true } },
      { use: 'task', option: {} },
    );
    expect(problems).toEqual([
      'plugins.task.option is not known',
      'plugins.notice.options: the plugin has no options',
      'plugins.dashboard.options.days must be equal to one of the allowed values: 7, 30, 90',
      'plugins.sms.options.secret is not known',
      'plugins.sms.options.codeMinutes must be integer',
    ]);
  });
});

describe('a package', () => {
  const packed = (name: string, description: object, files: Readonly<Record<string, string>> = {}) => {
    const home = join(folder, 'deployments/node_modules', name);
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, 'package.json'), JSON.stringify({ name, ...description }));
    for (const [file, text] of Object.entries(files)) writeFileSync(join(home, file), text);
    return home;
  };
  const found = (entry: PluginEntry) => pluginOf(withAbsolutePath(entry, join(folder, 'deployments')));

  test('is found beside the manifest that lists it, its files where it says', async () => {
    const schema = options({ onServer: { rate: Type.Integer({ default: 2 }) } });
    const home = packed(
      '@acme/loyalty',
      { marquee: { id: 'points', server: './server.js', options: './options.json' } },
      { 'server.js': '', 'options.json': JSON.stringify(schema) },
    );
    expect(found({ use: 'npm:@acme/loyalty', options: { rate: 3 } })).toMatchObject({
      id: 'points',
      folder: home,
      files: { server: join(home, 'server.js'), options: join(home, 'options.json') },
      problem: undefined,
    });
    const { manifest } = read('deployments/loyal.manifest.json', { extends: product, with: ['npm:@acme/loyalty'] });
    expect((await settledOptions(manifest.plugins.map(pluginOf))).settled.get('points')).toEqual({ all: { rate: 2 }, console: {} });
    expect(read('deployments/disloyal.manifest.json', { extends: './loyal.manifest.json', without: ['points'] }).manifest.plugins).toHaveLength(
      manifest.plugins.length - 1,
    );
  });

  test('that cannot be used is refused with what to do', () => {
    packed('mute', {});
    const unbuilt = packed('unbuilt', { marquee: { console: './dist/plugin.js' } });
    const problem = (entry: string) => found(entry).problem;
    expect(problem('npm:@acme/absent')).toBe('package @acme/absent not found in node_modules. Install it: npm install @acme/absent');
    expect(problem('npm:mute')).toMatch(/^the package mute does not name its halves\. Its package\.json needs "marquee": /);
    expect(problem('npm:unbuilt')).toBe(
      `the package unbuilt has no ./dist/plugin.js, where its console should be. Build it: npm run plugin -- build ${unbuilt}`,
    );
  });
});

test('a remote plugin is downloaded, and reported if it differs from the listed one', async () => {
  const text = JSON.stringify({ id: 'loyalty', options: { properties: { goal: { type: 'integer' } }, required: ['goal'], additionalProperties: false } });
  const host = createServer((request, reply) => void (request.url === '/gone.json' ? reply.writeHead(404).end() : reply.end(text)));
  await new Promise<void>((done) => host.listen(0, '127.0.0.1', done));
  const manifest = `http://127.0.0.1:${(host.address() as AddressInfo).port}/manifest.json`;
  const integrity = `sha384-${createHash('sha384').update(text).digest('base64')}`;
  const listing = { id: 'loyalty', manifest, integrity };
  try {
    expect(await remoteProblems([listing, { ...listing, options: { goal: 5 } }])).toEqual([]);
    expect(
      await remoteProblems([
        { ...listing, integrity: 'sha384-AAAA' },
        { ...listing, id: 'points' },
        { ...listing, manifest: manifest.replace('manifest.json', 'gone.json') },
        { ...listing, options: { goal: 'far' } },
      ]),
    ).toEqual([
      `remotes.loyalty.integrity does not match: the file has ${integrity}`,
      'remotes.points: the file is the plugin "loyalty"',
      expect.stringMatching(/^remotes\.loyalty: http.*gone\.json answers 404$/),
      'remotes.loyalty.options.goal must be integer',
    ]);
  } finally {
    await new Promise((done) => host.close(done));
  }
});

test('errors of a manifest are reported with their place', async () => {
  const { manifest } = readManifestFile(product);
  const { language: _, ...rest } = manifest;
  const wrong = { ...rest, theme: 'theme-none', tokenTime: '3000', brand: { colour: 'blue' }, plugin: [] };
  expect((await problemsOf(wrong)).sort()).toEqual([
    'brand.colour must match pattern "^#[0-9a-fA-F]{6}$"',
    'language is missing',
    'plugin is not known',
    `theme must be equal to one of the allowed values: ${Object.keys(themes).join(', ')}`,
    'tokenTime must be integer',
  ]);
});
