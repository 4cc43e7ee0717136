import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { expect, test } from '@playwright/test';
import { collectErrors, openSignedIn, signInThroughPage } from './console.ts';
import { Product, sharedProduct } from './product.ts';
import { openTaskFloor } from './task-staff.ts';
import { bytesOf, openParams, type Transfer, transfersOf, visitFirstList } from './transfers.ts';

const root = join(import.meta.dirname, '../..');
let product: Product;

/** All requests to the server from the sign-in page to the first list. */
const callsUntilFirstList = new Set([
  '/api/blade-desk/dashboard/figures',
  '/api/blade-desk/inbox/unread',
  '/api/blade-system/menu/buttons',
  '/api/blade-system/menu/top-menu',
  '/api/blade-system/param/list',
  '/api/blade-system/tenant/info',
  '/api/live/events',
  '/api/things-auth/oauth/captcha',
  '/api/things-auth/oauth/clear-cache',
  '/api/things-auth/oauth/token',
  '/api/things-auth/oauth/ways',
  '/api/things-system/menu/routes',
  '/api/things-system/preference/list',
  '/api/transfer/list',
]);
const icons = new Set(['/icon.svg', '/favicon.ico']);

/** Returns the requested files of the build, each once: browsers request some twice, and icons any number of times. */
const filesOf = (transfers: readonly Transfer[]) => ['document', 'script', 'style'].flatMap((kind) => pathsOf(transfers, kind as Transfer['kind']));
const pathsOf = (transfers: readonly Transfer[], kind: Transfer['kind']) => [
  ...new Set(transfers.filter((transfer) => transfer.kind === kind).map(({ path }) => path)),
];

test.beforeAll(async () => {
  product = await sharedProduct();
});

test('the sign-in form can be used after 180 kB of scripts and 25 kB of styles, the first list after 335 kB of scripts', async ({ page }) => {
  const encodings = new Map<string, string | undefined>();
  page.on('response', (response) => encodings.set(new URL(response.url()).pathname, response.headers()['content-encoding']));
  const { interactive, signIn, idle, firstList } = await visitFirstList(page, product.address, 'gzip');

  expect(bytesOf(signIn, 'script')).toBeLessThanOrEqual(180_000);
  expect(bytesOf(signIn, 'style')).toBeLessThanOrEqual(25_000);
  expect(filesOf(signIn).length).toBeLessThanOrEqual(8);
  expect(bytesOf(firstList, 'script')).toBeLessThanOrEqual(335_000);
  expect(filesOf(firstList).length).toBeLessThanOrEqual(49);
  // A console that follows live events repeats calls after each event, so each call counts once, by name.
  expect(pathsOf(firstList, 'call').filter((path) => !callsUntilFirstList.has(path))).toEqual([]);
  // Browsers request the icon, again after every change of the title.
  expect(pathsOf(firstList, 'other').filter((path) => !icons.has(path))).toEqual([]);

  // Files after the form load when the user types or has been idle for a while.
  const isOfConsole = (kind: string) => kind === 'script' || kind === 'style';
  expect(idle.filter(({ kind, start }) => isOfConsole(kind) && start > interactive && start < interactive + 1000)).toEqual([]);
  expect(firstList.filter(({ kind, start }) => isOfConsole(kind) && start > interactive).length).toBeGreaterThan(0);

  const large = firstList.filter(({ kind, bytes }) => isOfConsole(kind) && bytes > 1024);
  expect(large.length).toBeGreaterThan(5);
  for (const { path } of large) expect(encodings.get(path), path).toBe('gzip');
});

test('no served file contains the path of the folder it was built in', () => {
  const console = join(root, 'dist/console');
  const files = readdirSync(console, { recursive: true, encoding: 'utf8' }).filter((file) => /\.(js|css|html|json|svg)$/.test(file));
  expect(files.length).toBeGreaterThan(50);
  expect(files.filter((file) => readFileSync(join(console, file), 'utf8').includes(root))).toEqual([]);
});

test('a page is loaded when it is opened, without pages of other plugins', async ({ page }) => {
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
  // Long enough for all prefetched files.
  await page.waitForTimeout(3000);
  // Charts are separate files, loaded when there is something to draw.
  const home = await fetched();
  expect(home).toContain('dashboard/console/HomePage.tsx');
  expect(home.filter((file) => !file.startsWith('dashboard/'))).toEqual([]);
  await openParams(page);
  await page.waitForTimeout(3000);
  expect((await fetched()).filter((file) => !home.includes(file))).toEqual(['settings/console/ParamPage.tsx']);
});

test('with metrics, each request is sent once when the console opens, and charts need no script of their own', async ({ browser }) => {
  const busy = new Product();
  await busy.start();
  try {
    const floor = await openTaskFloor(busy);
    const task = await floor.publish();
    for (let made = 0; made < 3; made += 1) await floor.handIn(task);
    await settled(busy);

    const visit = await browser.newPage();
    const { firstList } = await visitFirstList(visit, busy.address, 'gzip');
    expect(bytesOf(firstList, 'script')).toBeLessThanOrEqual(335_000);
    await visit.close();

    const page = await browser.newPage();
    const errors = collectErrors(page);
    await page.addInitScript(markShifts);
    await openSignedIn(page, busy, '/wel/index');
    await expect(page.getByRole('link', { name: /^待审核 3/ })).toBeVisible();
    const trend = page.getByRole('figure').first();
    await expect(trend).toBeVisible();
    await trend.getByRole('listitem').last().hover();
    await expect(trend.locator('dl')).toContainText('提交 3');
    expect(errors, 'charts and what they say where the pointer is pass the content security policy').toEqual([]);
    // Long enough for calls that are repeated because of live events.
    await page.waitForTimeout(4000);
    const asked = (await transfersOf(page)).filter(({ kind, path }) => kind === 'call' && path !== '/api/live/events');
    const times = new Map<string, number>();
    for (const { path } of asked) times.set(path, (times.get(path) ?? 0) + 1);
    expect([...times].filter(([, count]) => count > 1)).toEqual([]);
    expect(times.get('/api/blade-desk/dashboard/figures')).toBe(1);
    expect(times.get('/api/blade-desk/inbox/unread')).toBe(1);
    expect(await page.evaluate(shiftsSinceFigures)).toBe(0);
  } finally {
    await busy.discard();
  }
});

/** Waits until live events have announced the earlier changes, so that none arrives later. */
async function settled(busy: Product): Promise<void> {
  const client = await busy.signIn();
  await client.get('/api/blade-desk/dashboard/figures');
  await new Promise((resolve) => setTimeout(resolve, 8000));
}

/** Runs in the page: records the size and time of layout shifts. */
function markShifts(): void {
  const shifts: PerformanceEntry[] = [];
  Object.assign(window, { shifts });
  new PerformanceObserver((list) => shifts.push(...list.getEntries())).observe({ type: 'layout-shift', buffered: true });
}

/** Runs in the page: returns the layout shift since the metrics were drawn. */
function shiftsSinceFigures(): number {
  const figures = performance.getEntriesByType('resource').find(({ name }) => name.includes('dashboard/figures')) as PerformanceResourceTiming;
  const { shifts } = window as unknown as { shifts: (PerformanceEntry & { value: number })[] };
  return shifts.filter(({ startTime }) => startTime > figures.responseEnd + 500).reduce((sum, { value }) => sum + value, 0);
}

/** Returns the plugin files in each script of the console from its source map; bundlers merge modules, and the map keeps their names. */
function filesByScript(): Map<string, string[]> {
  const maps = join(root, 'dist/maps/assets');
  const files = lazyFiles();
  const sourcesOf = (map: string): string[] => (JSON.parse(readFileSync(join(maps, map), 'utf8')) as { sources: string[] }).sources;
  const scripts = readdirSync(maps).filter((name) => name.endsWith('.js.map'));
  return new Map(
    scripts.map((map) => [basename(map, '.map'), sourcesOf(map).flatMap((source) => files.filter((file) => source.endsWith(`/src/plugins/${file}`)))]),
  );
}

/** Returns the files that the plugins of the manifest load lazily, such as `settings/console/ParamPage.tsx`. */
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
