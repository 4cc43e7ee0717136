import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { expect, test } from '@playwright/test';
import { signInThroughPage } from './console.ts';
import { type Product, sharedProduct } from './product.ts';
import { bytesOf, openParams, transfersOf, visitFirstList } from './transfers.ts';

const root = join(import.meta.dirname, '../..');
let product: Product;

test.beforeAll(async () => {
  product = await sharedProduct();
});

test('the sign-in form can be used after 180 kB of scripts and 25 kB of styles, the first list after 350 kB of scripts', async ({ page }) => {
  const encodings = new Map<string, string | undefined>();
  page.on('response', (response) => encodings.set(new URL(response.url()).pathname, response.headers()['content-encoding']));
  const { interactive, signIn, idle, firstList } = await visitFirstList(page, product.address, 'gzip');

  expect(bytesOf(signIn, 'script')).toBeLessThanOrEqual(180_000);
  expect(bytesOf(signIn, 'style')).toBeLessThanOrEqual(25_000);
  expect(signIn.length).toBeLessThanOrEqual(12);
  expect(bytesOf(firstList, 'script')).toBeLessThanOrEqual(350_000);
  // Whoever follows the server live asks again as often as it speaks: calls are counted once each.
  const calls = firstList.filter(({ kind }) => kind === 'call').map(({ path }) => path);
  expect(firstList.length - calls.length).toBeLessThanOrEqual(48);
  expect(new Set(calls).size).toBeLessThanOrEqual(16);

  // What comes after the form waits until the operator types or has been idle for a while.
  const isOfConsole = (kind: string) => kind === 'script' || kind === 'style';
  expect(idle.filter(({ kind, start }) => isOfConsole(kind) && start > interactive && start < interactive + 1000)).toEqual([]);
  expect(firstList.filter(({ kind, start }) => isOfConsole(kind) && start > interactive).length).toBeGreaterThan(0);

  const large = firstList.filter(({ kind, bytes }) => isOfConsole(kind) && bytes > 1024);
  expect(large.length).toBeGreaterThan(5);
  for (const { path } of large) expect(encodings.get(path), path).toBe('gzip');
});

test('a page is fetched when it is opened, and no page of another plugin with it', async ({ page }) => {
  const files = filesByScript();
  expect(new Set([...files.values()].flat()), 'every file that is fetched when it is wanted is in some script').toEqual(new Set(lazyFiles()));
  const fetched = async () => {
    const scripts = (await transfersOf(page)).filter(({ path }) => /^\/assets\/.+\.js$/.test(path)).map(({ path }) => basename(path));
    expect(
      scripts.filter((script) => !files.has(script) && !script.startsWith('assets-retry')),
      'the product under test was built from other sources',
    ).toEqual([]);
    return [...new Set(scripts.flatMap((script) => files.get(script) ?? []))];
  };
  await page.goto(product.address);
  await signInThroughPage(page);
  // Long enough for anything that is fetched ahead.
  await page.waitForTimeout(3000);
  expect(await fetched()).toEqual(['dashboard/console/HomePage.tsx']);
  await openParams(page);
  await page.waitForTimeout(3000);
  expect((await fetched()).sort()).toEqual(['dashboard/console/HomePage.tsx', 'settings/console/ParamPage.tsx']);
});

/** Each script of the console with the plugins' files that are in it, as its source map tells: bundlers melt modules together, the parts keep their names. */
function filesByScript(): Map<string, string[]> {
  const maps = join(root, 'dist/maps/assets');
  const files = lazyFiles();
  const sourcesOf = (map: string): string[] => (JSON.parse(readFileSync(join(maps, map), 'utf8')) as { sources: string[] }).sources;
  const scripts = readdirSync(maps).filter((name) => name.endsWith('.js.map'));
  return new Map(
    scripts.map((map) => [basename(map, '.map'), sourcesOf(map).flatMap((source) => files.filter((file) => source.endsWith(`/src/plugins/${file}`)))]),
  );
}

/** What the plugins of the manifest fetch when it is wanted: `settings/console/ParamPage.tsx`. */
function lazyFiles(): string[] {
  const { plugins } = JSON.parse(readFileSync(join(root, 'plugins.manifest.json'), 'utf8')) as { plugins: string[] };
  return plugins.flatMap((id) => {
    const folder = join(root, 'src/plugins', id, 'console');
    const sources = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name)) : [];
    return sources.flatMap((name) => {
      const imported = readFileSync(join(folder, name), 'utf8').matchAll(/import\(\s*'(\.[^']+)'\s*\)/g);
      return [...imported].map(([, path = '']) => relative(join(root, 'src/plugins'), join(folder, dirname(name), path)));
    });
  });
}
