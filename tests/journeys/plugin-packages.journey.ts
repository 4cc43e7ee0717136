import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { containedBell } from '../support/contained-bell.ts';
import { documentedCommands } from '../support/documented-commands.ts';
import { expectNoViolations } from './axe.ts';
import { collectErrors, openSignedIn } from './console.ts';
import { Product } from './product.ts';

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'marquee-package-'));
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a command in the repository; returns its output. */
function command(program: string, args: readonly string[], environment: Readonly<Record<string, string>> = {}, cwd = root): string {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    timeout: 150_000,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment },
  });
  expect(status, stderr + stdout).toBe(0);
  return stdout;
}

const plugin = (...args: string[]) => command(process.execPath, ['scripts/run.mjs', 'plugin', ...args], { NODE_ENV: 'production' });

/** Packs a version of the example in a folder of its own; returns the file. */
function packed(version: string, key: string): string {
  const source = join(folder, version);
  cpSync(join(root, 'examples/loyalty'), source, { recursive: true, filter: (path) => !/\/(dist|node_modules)$/.test(path) });
  const description = join(source, 'package.json');
  writeFileSync(description, JSON.stringify({ ...JSON.parse(readFileSync(description, 'utf8')), version }));
  plugin('build', source, '--key', key);
  return join(source, command('npm', ['pack', '--silent'], {}, source).trim());
}

const item = (page: Page, title: string) =>
  page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByText(title, { exact: true }) });

test('a package is installed on the page, updated by command, taken back and uninstalled, while the server runs', async ({ page }) => {
  test.setTimeout(300_000);
  test.skip(process.platform === 'win32', 'The documented command is one of a shell.');
  const key = join(folder, 'acme.pem');
  const [, setting = ''] = /PLUGIN_KEYS=(\S+)/.exec(plugin('key', key)) ?? [];
  const [first, second] = [packed('1.0.0', key), packed('1.1.0', key)];
  const product = new Product({ PLUGIN_KEYS: setting });
  const errors = collectErrors(page);
  try {
    await product.start();
    await openSignedIn(page, product, '/system/plugin');
    await page.getByLabel('安装插件').setInputFiles(first);
    const dialog = page.getByRole('dialog', { name: '安装「@acme/loyalty」1.0.0' });
    await expect(dialog).toContainText('已由「acme」签名');
    await expect(dialog).toContainText('loyalty_award');
    await expect(dialog).toContainText('task_submission');
    await expectNoViolations(page, 'the question before a package is installed');
    await dialog.getByRole('button', { name: '安装', exact: true }).click();
    await expect(dialog).toBeHidden();
    await expect(item(page, '积分')).toContainText('插件包 · acme 签名');

    // Every open console receives the id of the new build.
    const prompt = page.getByRole('region', { name: '系统已更新' });
    await expect(prompt).toBeVisible();
    await prompt.getByRole('button', { name: /^刷新/ }).click();
    await page.goto(`${product.address}/task/loyalty`);
    await expect(
      page
        .getByRole('heading', { name: '积分' })
        .or(page.getByRole('tab', { name: '积分' }))
        .first(),
    ).toBeVisible();

    // No page is open meanwhile, whose requests would fail.
    await page.goto('about:blank');
    await product.stop();
    await product.start();
    await page.goto(`${product.address}/task/loyalty`);
    await expect(page.getByRole('table', { name: '积分' })).toBeVisible();

    const [install = ''] = documentedCommands('Plugins from packages');
    expect(command('sh', ['-ec', install], { DATA_DIR: product.directory, PACKAGE: second, NODE_ENV: 'production' })).toContain(
      'The plugin "loyalty" runs in version 1.1.0, 1.0.0 before.',
    );
    await page.goto(`${product.address}/system/plugin`);
    await expect(item(page, '积分')).toContainText('loyalty 1.1.0');
    await item(page, '积分').getByRole('button', { name: '恢复到 1.0.0' }).click();
    await page.getByRole('dialog').getByRole('button', { name: '恢复到 1.0.0' }).click();
    await expect(item(page, '积分')).toContainText('loyalty 1.0.0');

    await item(page, '积分').getByRole('button', { name: '卸载' }).click();
    const question = page.getByRole('dialog', { name: '确定卸载「积分」？' });
    await expect(question).toContainText('loyalty_award：0 行');
    await question.getByText('同时删除其数据表和菜单').click();
    await expect(question).toContainText('以下数据将永久删除');
    await question.getByRole('button', { name: '卸载', exact: true }).click();
    await expect(item(page, '积分')).toBeHidden();
    expect(errors, product.output).toEqual([]);
  } finally {
    await product.discard();
  }
});

test('an unsigned package is installed contained, and the page shows the memory of its process', async ({ page }) => {
  const product = new Product({ UNSIGNED_PLUGINS: 'contained' });
  const errors = collectErrors(page);
  try {
    await product.start();
    await openSignedIn(page, product, '/system/plugin');
    const archive = await containedBell({ calls: "read('rung', async () => 'rung')," });
    await page.getByLabel('安装插件').setInputFiles({ name: 'bell.tgz', mimeType: 'application/gzip', buffer: archive });
    const dialog = page.getByRole('dialog', { name: '安装「@acme/bell」1.0.0' });
    await expect(dialog).toContainText('未签名：无法确认来源');
    await expect(dialog).toContainText('服务器部分隔离运行');
    await expect(dialog.getByRole('listitem')).toHaveText(['Bells ring.']);
    await expect(dialog).not.toContainText('拥有服务器的全部权限');
    await expectNoViolations(page, 'the question before an unsigned package is installed');
    await dialog.getByRole('button', { name: '安装', exact: true }).click();
    await expect(page.getByText('已安装「@acme/bell」1.0.0')).toBeVisible();
    const row = item(page, '钟');
    await expect(row).toContainText('插件包 · 隔离运行');
    const client = await product.signIn();
    expect((await client.get('/api/bell/rung')).data).toBe('rung');
    await page.reload();
    await row.getByText('详情', { exact: true }).click();
    await expect(row).toContainText(/独立进程的内存\s*\d+/);
    expect(errors, product.output).toEqual([]);
  } finally {
    await product.discard();
  }
});
