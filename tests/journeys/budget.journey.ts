import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { expect, test } from '@playwright/test';
import { createRsbuild, loadConfig } from '@rsbuild/core';
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
  expect(firstList.length).toBeLessThanOrEqual(60);

  // What comes after the form waits until the operator types or has been idle for a while.
  const isOfConsole = (kind: string) => kind === 'script' || kind === 'style';
  expect(idle.filter(({ kind, start }) => isOfConsole(kind) && start > interactive && start < interactive + 1000)).toEqual([]);
  expect(firstList.filter(({ kind, start }) => isOfConsole(kind) && start > interactive).length).toBeGreaterThan(0);

  const large = firstList.filter(({ kind, bytes }) => isOfConsole(kind) && bytes > 1024);
  expect(large.length).toBeGreaterThan(5);
  for (const { path } of large) expect(encodings.get(path), path).toBe('gzip');
});

test('a page is fetched when it is opened, and no page of another plugin with it', async ({ page }) => {
  test.setTimeout(180_000);
  const pages = await pagesByScript();
  const fetched = async () => {
    const scripts = (await transfersOf(page)).filter(({ path }) => /^\/assets\/.+\.js$/.test(path)).map(({ path }) => nameOf(path));
    expect(
      scripts.filter((script) => !pages.has(script) && !script.startsWith('assets-retry')),
      'the product under test was built from other sources',
    ).toEqual([]);
    return [...new Set(scripts.flatMap((script) => pages.get(script) ?? []))];
  };
  await page.goto(product.address);
  await signInThroughPage(page);
  // Long enough for anything that is fetched ahead.
  await page.waitForTimeout(3000);
  expect(await fetched()).toEqual([]);
  await openParams(page);
  await page.waitForTimeout(3000);
  expect(await fetched()).toEqual(['settings/console/ParamPage.tsx']);
});

/** Each script of the console with the plugins' pages that are in it, as the bundler tells. */
async function pagesByScript(): Promise<Map<string, string[]>> {
  const output = 'dist/traced';
  process.env.MARQUEE_OUTPUT = output;
  try {
    const { content } = await loadConfig({ cwd: root });
    const rsbuild = await createRsbuild({ cwd: root, environment: ['web'], config: { ...content, mode: 'production', logLevel: 'error' } });
    const { stats, close } = await rsbuild.build();
    const chunks = stats?.toJson({ all: false, chunks: true, chunkModules: true, nestedModules: true })?.chunks ?? [];
    await close();
    const files = lazyFiles();
    const pagesIn = (modules: readonly Module[] = []) => [...files].filter((file) => modules.some((module) => holds(module, file)));
    return new Map(chunks.flatMap((chunk) => (chunk.files ?? []).map((file) => [nameOf(file), pagesIn(chunk.modules)])));
  } finally {
    delete process.env.MARQUEE_OUTPUT;
    rmSync(join(root, output), { recursive: true, force: true });
  }
}

/** Without the hash: the entry and its runtime know where they were built to. */
const nameOf = (path: string) => basename(path).replace(/\.[0-9a-f]{10}\.js$/, '');

interface Module {
  readonly nameForCondition?: string;
  readonly modules?: readonly Module[];
}

/** Bundlers melt modules together; the parts keep their names. */
function holds({ nameForCondition, modules = [] }: Module, file: string): boolean {
  return nameForCondition === join(root, 'src/plugins', file) || modules.some((part) => holds(part, file));
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
