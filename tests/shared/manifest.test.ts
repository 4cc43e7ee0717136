import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@rstest/core';
import { ManifestSchema } from '#shared/manifest';
import { problemsOf, readManifestFile } from '../../scripts/manifest.mjs';
import { themes } from '../../src/kernel/theme/themes.ts';

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

test('what editors complete by is what the build judges by: after a change, `npx rstest run tests/shared/manifest -u`', async () => {
  const { required, properties, ...schema } = ManifestSchema;
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
    // biome-ignore lint/suspicious/noThenProperty: the word of JSON Schema.
    then: { properties: parts },
    else: { required },
  };
  await expect(`${JSON.stringify(file, null, 2)}\n`).toMatchFileSnapshot(resolve('src/shared/manifest.schema.json'));
  expect((ManifestSchema.properties.theme as { enum?: string[] }).enum).toEqual(Object.keys(themes));
});

test('the manifest of the product, and of the gallery, are as their schema says', async () => {
  for (const path of [product, resolve('tests/gallery.manifest.json')]) expect(await problemsOf(readManifestFile(path).manifest)).toEqual([]);
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
      plugins: [...base.plugins.filter((id: string) => id !== 'sms'), join(folder, 'deployments/lamps')],
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
    expect(() => read('three.manifest.json', { extends: './gone.manifest.json' })).toThrow(/there is no manifest .*gone\.manifest\.json/);
    expect(() => read('five.manifest.json', { extends: product, without: ['smss'] })).toThrow(
      /five\.manifest\.json is without smss, which plugins\.manifest\.json does not have/,
    );
    expect(() => read('four.manifest.json', '{ "plugins": [')).toThrow(/four\.manifest\.json is not JSON/);
  });
});

test('what is wrong with a manifest is said with its place', async () => {
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
