import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@rstest/core';
import { effectiveManifest, settingsElement } from '#shared/effective-manifest';
import { readConfiguration } from '../../../../src/server/base/configuration/configuration.ts';
import { serveConsole } from '../../../../src/server/host/serving/console-files.ts';
import { createApp } from '../../../../src/server/platform/http/app.ts';
import { testManifest } from '../../../support/test-manifest.ts';

const folder = mkdtempSync(join(tmpdir(), 'marquee-settings-'));
const file = join(folder, 'settings.json');
const remote = { id: 'loyalty', manifest: 'https://plugins.acme.test/loyalty/manifest.json', integrity: 'sha384-abc' };
writeFileSync(
  join(folder, 'index.html'),
  '<!doctype html><head><link rel="icon" sizes="32x32" href="/favicon.ico"><link rel="icon" href="/icon.svg"><script src="/pre-paint.js" data-theme="theme-default"></script><title>Marquee</title></head>',
);
afterAll(() => rmSync(folder, { recursive: true }));

function configured(settings: object | string) {
  writeFileSync(file, typeof settings === 'string' ? settings : JSON.stringify(settings));
  return readConfiguration({ NODE_ENV: 'test', LOG_LEVEL: 'silent', CONSOLE_DIR: folder, CONSOLE_SETTINGS: file });
}

test('settings of the running server are in every page, uncached; scripts and calls go to the configured addresses only', async () => {
  const settings = { brand: { name: 'Acme & "Söhne"', favicon: '/acme.svg' }, theme: 'theme-dark', apiBase: 'https://api.acme.test/v1', remotes: [remote] };
  const configuration = configured(settings);
  const app = await createApp(configuration, effectiveManifest(testManifest, configuration.consoleSettings));
  await serveConsole(app, [], configuration);
  for (const url of ['/', '/index.html', '/wel/index']) {
    const { body, headers } = await app.inject({ method: 'GET', url, headers: { accept: 'text/html' } });
    expect(headers['cache-control']).toBe('no-cache');
    expect(body).toContain('<title>Acme &amp; &quot;Söhne&quot;</title>');
    expect(body.match(/<link rel="icon"[^>]*>/g)).toEqual(['<link rel="icon" href="/acme.svg">']);
    expect(body).toContain('data-theme="theme-dark"');
    const said = new RegExp(`<script type="application/json" id="${settingsElement}">(.*?)</script></head>`).exec(body)?.[1];
    expect(JSON.parse(said ?? '')).toEqual(settings);
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("script-src 'self' https://plugins.acme.test;");
    expect(policy).toContain("style-src 'self' https://plugins.acme.test;");
    expect(policy).toContain("connect-src 'self' https://plugins.acme.test https://api.acme.test;");
  }
  await app.close();
});

test('/favicon.ico is the icon of the brand, or of the product if the brand has none', async () => {
  writeFileSync(join(folder, 'favicon.ico'), 'the mark of the product');
  for (const [brand, answer] of [
    [{ favicon: '/acme.svg' }, { statusCode: 302, location: '/acme.svg', body: '' }],
    [{ name: 'Acme' }, { statusCode: 200, location: undefined, body: 'the mark of the product' }],
  ] as const) {
    const { statusCode, headers, body } = await faviconOf(configured({ brand }));
    expect({ statusCode, location: headers.location, body }).toEqual(answer);
  }
  rmSync(join(folder, 'favicon.ico'));
  const { statusCode, headers } = await faviconOf(configured({}));
  expect({ statusCode, location: headers.location }).toEqual({ statusCode: 302, location: '/icon.svg' });
});

async function faviconOf(configuration: ReturnType<typeof configured>) {
  const app = await createApp(configuration, testManifest);
  await serveConsole(app, [], configuration);
  const reply = await app.inject({ method: 'GET', url: '/favicon.ico' });
  await app.close();
  return reply;
}

test('a text that ends the element early ends nothing', async () => {
  const configuration = configured({ brand: { name: '</script><script>alert(1)</script>$&' } });
  const app = await createApp(configuration, testManifest);
  await serveConsole(app, [], configuration);
  const { body } = await app.inject({ method: 'GET', url: '/' });
  expect(body.match(/<script/g)).toHaveLength(2);
  expect(body).toContain('<title>&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;$&amp;</title>');
  await app.close();
});

test('settings that do not fit, or that only a build can say, keep the server from starting', () => {
  const unfit = { brand: { colour: '#ffffff' }, language: 'fr', remotes: [{ ...remote, manifest: 'http://plugins.acme.test/manifest.json' }] };
  expect(() => configured(unfit)).toThrow(/brand contains colour, which can only be set at build time\.[\s\S]*remotes\.0\.manifest must match pattern/);
  const wrongForm = { requests: { tokenKey: 'seventeen letters', bodyKey: 'sixteen letters!' }, expiredSession: 'stay' };
  expect(() => configured(wrongForm)).toThrow(/requests\.tokenKey must match pattern/);
  expect(() => configured(wrongForm)).toThrow(/expiredSession/);
  expect(() => configured(wrongForm)).not.toThrow(/bodyKey/);
  expect(configured({ requests: { bodyKey: 'sixteen letters!', clientHeader: false }, expiredSession: 'signIn' }).consoleSettings).toMatchObject({
    expiredSession: 'signIn',
  });
  expect(() => configured('{')).toThrow(/CONSOLE_SETTINGS is ".*", which cannot be read as JSON/);
});

test('settings override single keys of the build’s manifest; a remote plugin replaces one with its name', () => {
  const built = { ...testManifest, brand: { name: 'A', logo: '/a.svg' }, remotes: [remote, { ...remote, id: 'other' }] };
  const moved = { ...remote, manifest: 'https://elsewhere.test/manifest.json' };
  expect(effectiveManifest(built, { brand: { name: 'B' }, modes: { debug: true }, remotes: [moved] })).toEqual({
    ...built,
    brand: { name: 'B', logo: '/a.svg' },
    modes: { tenant: false, switch: false, debug: true },
    remotes: [{ ...remote, id: 'other' }, moved],
  });
});
