import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@playwright/test';
import { Product } from '../journeys/product.ts';
import { documentedCommands } from '../support/documented-commands.ts';
import { LoyaltyPackage } from '../support/loyalty-package.ts';
import { pairwise } from '../support/pairwise.ts';
import { report } from './report.ts';

const root = join(import.meta.dirname, '../..');
const home = join(root, 'dist/deployments');
const listed = (JSON.parse(readFileSync(join(root, 'plugins.manifest.json'), 'utf8')) as { plugins: string[] }).plugins;

test.beforeAll(() => mkdirSync(home, { recursive: true }));
test.afterAll(() => rmSync(home, { recursive: true, force: true }));

test('two tenants’ builds of one run differ as their manifests say, contain none of the other’s text, and start from their folders alone', async ({
  browser,
}) => {
  test.skip(process.platform === 'win32', 'The documented command is one of a shell.');
  const tenants = {
    lighthouse: {
      own: ['灯塔投放', 'Lighthouse campaigns', 'lighthouse-', '#0b6e4f'],
      without: ['api/blade-develop', 'blade-resource/sms'],
      locale: 'zh-CN',
      title: '灯塔投放',
    },
    harbour: {
      own: ['港湾众测', 'Harbour crowd work', 'harbour-', '#7a3e9d'],
      without: ['/api/blade-desk/notice', '/api/blade-resource/attach'],
      locale: 'en-GB',
      title: 'Harbour crowd work',
    },
  };
  const names = Object.keys(tenants) as (keyof typeof tenants)[];
  const [command = ''] = documentedCommands('Custom deployments');
  const { status, stderr } = spawnSync('sh', ['-ec', command], { cwd: root, encoding: 'utf8', env: { ...process.env, OUTPUT: home } });
  expect(status, stderr).toBe(0);
  let foreign = 0;
  for (const name of names) {
    const text = textUnder(join(home, name));
    for (const own of tenants[name].own) expect(text, `${name}: ${own}`).toContain(own);
    for (const other of names.filter((one) => one !== name)) foreign += tenants[other].own.filter((trace) => text.includes(trace)).length;
    foreign += tenants[name].without.filter((trace) => text.includes(trace)).length;
    const product = new Product({ CONSOLE_DIR: '' }, [join(home, name, 'start.mjs')], `${name}-`);
    try {
      await product.start();
      const page = await browser.newPage({ locale: tenants[name].locale });
      await page.goto(product.address);
      await expect(page.getByText(tenants[name].title).first()).toBeVisible();
      await page.close();
      await product.signIn();
    } finally {
      await product.discard();
    }
  }
  report('Two tenants built in one run', { what: 'texts of the other, or of plugins left out, in the files of one', after: foreign, bound: 0 });
  expect(foreign).toBe(0);
});

test('subsets in which every two optional plugins are together, apart and absent are built and boot', async () => {
  test.setTimeout(3_600_000);
  const subsets = pairwise(listed);
  let booted = 0;
  for (const [place, subset] of subsets.entries()) {
    const manifest = join(home, 'subset.manifest.json');
    writeFileSync(manifest, JSON.stringify({ extends: join(root, 'plugins.manifest.json'), plugins: subset }));
    const output = join(home, `subset-${place}`);
    build(['--manifest', manifest, '--output', output], { MARQUEE_CACHE: '1' });
    const { describedPlugins } = await import(pathToFileURL(join(output, 'server/main.js')).href);
    const described = describedPlugins() as { id: string; dependencies: string[]; skipped?: string }[];
    // A plugin whose dependency is missing reports it and is skipped; all others run.
    for (const { id, dependencies, skipped } of described)
      expect({ id, skipped: Boolean(skipped) }).toEqual({ id, skipped: lacks(id, dependencies, described) });
    const product = new Product({ CONSOLE_DIR: join(output, 'console') }, ['scripts/serve.mjs', join(output, 'server/main.js')]);
    try {
      await product.start();
      const operator = await product.signIn();
      expect(await operator.get('/api/things-system/menu/routes')).toMatchObject({ code: 200 });
      booted += 1;
    } finally {
      await product.discard();
    }
    rmSync(output, { recursive: true, force: true });
  }
  report('Deployments with some of the plugins', {
    what: `pairwise subsets of ${listed.length} plugins, built and booted`,
    before: subsets.length,
    after: booted,
  });
  expect(booted).toBe(subsets.length);
});

test('a plugin of pages adds less than 150 bytes to what every console fetches first; a package is built in like one of the tree', async () => {
  const without = join(home, 'without');
  const manifest = join(home, 'without.manifest.json');
  const gone = ['region', 'sms', 'storage', 'miniapp', 'codegen', 'log', 'notice', 'session'];
  writeFileSync(manifest, JSON.stringify({ extends: join(root, 'plugins.manifest.json'), plugins: listed.filter((id) => !gone.includes(id)) }));
  build(['--manifest', manifest, '--output', without]);
  const each = (first(join(root, 'dist')) - first(without)) / gone.length;
  report('Cost of a plugin that is never opened', { what: 'bytes (gzip) until the sign-in form', after: Math.round(each), bound: 150 });
  expect(each).toBeLessThan(150);

  const loyalty = new LoyaltyPackage();
  try {
    const output = join(home, 'loyal');
    build(['--manifest', loyalty.manifest, '--output', output]);
    expect(textUnder(output)).toContain('acme-loyalty');
    expect(first(output) - first(join(root, 'dist'))).toBeLessThan(150);
    const product = new Product({ CONSOLE_DIR: join(output, 'console') }, ['scripts/serve.mjs', join(output, 'server/main.js')]);
    try {
      await product.start();
      expect(await (await product.signIn()).get('/api/acme-loyalty/award/summary')).toMatchObject({ code: 200, data: { points: 0, leaders: [] } });
    } finally {
      await product.discard();
    }
  } finally {
    loyalty.discard();
  }
});

function build(args: readonly string[], environment: NodeJS.ProcessEnv = {}): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'scripts/build.mjs'), ...args], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, ...environment },
  });
  expect(status, stdout + stderr).toBe(0);
}

function lacks(id: string, dependencies: readonly string[], all: readonly { id: string; dependencies: string[] }[]): boolean {
  return dependencies.some((dependency) => {
    const found = all.find((one) => one.id === dependency);
    return !found || (found.id !== id && lacks(found.id, found.dependencies, all));
  });
}

/** Returns the compressed size of the scripts that the page itself loads. */
function first(folder: string): number {
  const page = readFileSync(join(folder, 'console/index.html'), 'utf8');
  const assets = join(folder, 'console/assets');
  return readdirSync(assets)
    .filter((file) => file.endsWith('.js.gz') && page.includes(file.slice(0, -3)))
    .reduce((sum, file) => sum + statSync(join(assets, file)).size, 0);
}

function textUnder(folder: string): string {
  return ['console', 'server']
    .flatMap((half) => readdirSync(join(folder, half), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.(js|css|html|json|svg)$/.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
}
