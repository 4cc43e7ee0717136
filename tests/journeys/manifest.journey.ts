import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { signInThroughPage } from './console.ts';
import { Product } from './product.ts';

const root = join(import.meta.dirname, '../..');
const output = join(root, 'dist/without-settings');

test.afterAll(() => rmSync(output, { recursive: true, force: true }));

test('a plugin that is taken out of the manifest is nowhere, an unknown one is warned about, and the rest works', async ({ page }) => {
  test.setTimeout(180_000);
  mkdirSync(output, { recursive: true });
  const manifest = JSON.parse(readFileSync(join(root, 'plugins.manifest.json'), 'utf8')) as { plugins: string[] };
  const reduced = join(output, 'plugins.manifest.json');
  // A few are enough, and are built in a third of the time.
  writeFileSync(reduced, JSON.stringify({ ...manifest, plugins: ['session', 'dictionary', 'log', 'no-such-plugin'] }));
  const build = spawnSync(process.execPath, [join(root, 'scripts/build.mjs'), '--manifest', reduced, '--output', output], { cwd: root, encoding: 'utf8' });
  expect(build.status, build.stderr).toBe(0);
  expect(build.stdout + build.stderr).toContain('no plugin "no-such-plugin"');

  const list = spawnSync(process.execPath, [join(root, 'scripts/plugin.mjs'), 'list', '--json'], { cwd: root, encoding: 'utf8' });
  expect(list.status, list.stderr).toBe(0);
  expect((JSON.parse(list.stdout) as { plugins: { id: string }[] }).plugins.map(({ id }) => id).sort()).toEqual([...manifest.plugins].sort());

  const text = ['console', 'server'].flatMap((half) => textsUnder(join(output, half))).join('\n');
  for (const trace of ['系统参数', 'blade-system/param', 'settings:param-saved', 'param_key']) expect(text, trace).not.toContain(trace);

  const product = new Product({ CONSOLE_DIR: join(output, 'console') }, ['scripts/serve.mjs', join(output, 'server/main.js')]);
  try {
    await product.start();
    const client = await product.signIn();
    expect(await client.get('/api/blade-system/param/list')).toMatchObject({ status: 404, code: 404 });
    const buttons = JSON.stringify((await client.get('/api/blade-system/menu/buttons')).data);
    expect(buttons).not.toContain('param');
    await page.goto(product.address);
    await signInThroughPage(page);
    await expect(page).toHaveURL(/\/wel\/index$/);
    await expect(page.getByText('系统参数')).toHaveCount(0);
  } finally {
    await product.discard();
  }
});

function textsUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(js|css|html|json)$/.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
}
