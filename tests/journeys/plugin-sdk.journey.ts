import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { npmCommand } from '../../scripts/npm.mjs';
import { sparePort } from '../../scripts/port.mjs';
import { emit } from '../../src/plugins/codegen/server/emit/emit.ts';
import type { FieldPlan, PluginPlan } from '../../src/plugins/codegen/server/emit/plan.ts';
import { PackageRegistry } from '../support/package-registry.ts';

const root = process.cwd();
const workspace = mkdtempSync(join(tmpdir(), 'marquee-author-'));
const folder = join(workspace, 'shelf');
const registry = new PackageRegistry();

const field = (name: string, builder: string, sqlType: string, more: Partial<FieldPlan> = {}): FieldPlan => ({
  ...{ name, builder, sqlType, traits: {}, isMultiple: false, isOptional: false, preset: undefined, isUnique: false, isSortable: false, sample: '甲' },
  ...more,
});
/** Plan of a plugin as the code generator makes it from a table. */
const bill: PluginPlan = {
  id: 'bill',
  title: ['账单', 'Bills'],
  main: {
    ...{ table: 'bill', entityConstant: 'Bill', constant: 'bill', title: ['账单', 'Bill'], apiPath: '/api/generated/bill' },
    fields: [
      field('name', 'Text', 'varchar(40)', { traits: { title: ['名称', 'Name'], maxLength: 40, search: true } }),
      field('amount', 'Integer', 'integer', { traits: { title: ['金额', 'Amount'] }, isOptional: true, sample: 5 }),
    ],
  },
  isTree: false,
  details: undefined,
  menu: { path: '/base/bill', under: 'base' },
};

test.afterAll(() => {
  registry.discard();
  rmSync(workspace, { recursive: true, force: true, maxRetries: 5 });
});

/** Runs npm as the author does and returns its output. */
function npm(args: readonly string[], cwd: string): Promise<string> {
  const [command = 'npm', ...first] = npmCommand();
  const { MARQUEE_MANIFEST: _, MARQUEE_OUTPUT: __, NODE_ENV: ___, ...environment } = process.env;
  const child = spawn(command, [...first, ...args], { cwd, env: { ...environment, ...registry.environment } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  return new Promise((resolve, reject) => {
    child.once('close', (status) => (status === 0 ? resolve(output) : reject(new Error(`npm ${args.join(' ')} ended with ${status}:\n${output}`))));
  });
}

/** Edits a file of the plugin. */
function edit(file: string, from: string, to: string): void {
  const path = join(folder, file);
  const text = readFileSync(path, 'utf8');
  expect(text).toContain(from);
  writeFileSync(path, text.replace(from, to));
}

/** Starts `npm run dev` and resolves once the product runs. */
async function startDevelopment(port: number): Promise<ChildProcess> {
  const [command = 'npm', ...first] = npmCommand();
  const child = spawn(command, [...first, 'run', 'dev'], {
    cwd: folder,
    detached: process.platform !== 'win32',
    env: { ...process.env, NODE_ENV: 'development', PORT: String(port), HOST: '127.0.0.1', ADMIN_PASSWORD: 'Evening-Lights-2026', CAPTCHA_TEST_ANSWER: '' },
  });
  let output = '';
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
        if (/Marquee runs at http/.test(output)) resolve();
      });
    child.once('exit', (code) => reject(new Error(`npm run dev ended with ${code}:\n${output}`)));
  });
  return child;
}

async function signIn(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: '用户名' }).fill('admin');
  await page.getByLabel('密码', { exact: true }).fill('Evening-Lights-2026');
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await expect(page.getByRole('navigation', { name: '主导航' })).toBeVisible({ timeout: 60_000 });
}

test('an author creates, tests, checks, tries and packs a plugin in an empty folder, from the packages of a registry', async ({ page }) => {
  test.setTimeout(1_500_000);
  await registry.start();

  await test.step('the packages are packed and published', async () => {
    await npm(['run', 'pack:sdk'], root);
    for (const file of readdirSync(join(root, 'dist/sdk')).filter((name) => name.endsWith('.tgz'))) registry.publish(join(root, 'dist/sdk', file));
  });

  await test.step('a plugin is created and its packages are installed', async () => {
    await npm(['create', '--yes', 'marquee-plugin', 'shelf', '--', '--title', '货架,Shelves'], workspace);
    expect(existsSync(join(folder, 'contract.ts'))).toBe(true);
    await npm(['install'], folder);
  });

  await test.step('its tests and the check pass, and a mistake is found', async () => {
    expect(await npm(['test'], folder)).toContain('a row is added, found, changed and removed');
    expect(await npm(['run', 'check'], folder)).toContain('shelf: passed');
    edit('contract.ts', "import { crud, entity } from '#shared/contract';", "import { crud, entity } from '#shared/contract';\nimport '../elsewhere.ts';");
    await expect(npm(['run', 'check'], folder)).rejects.toThrow('elsewhere');
    edit('contract.ts', "\nimport '../elsewhere.ts';", '');
  });

  await test.step('it runs in the product and follows its sources', async () => {
    const port = await sparePort();
    const child = await startDevelopment(port);
    try {
      await page.goto(`http://127.0.0.1:${port}/`);
      await signIn(page);
      await page.goto(`http://127.0.0.1:${port}/base/shelf/index`);
      await page.getByRole('button', { name: '新增', exact: true }).first().click();
      await page.getByRole('dialog').getByRole('textbox', { name: '名称' }).fill('靠窗的货架');
      await page.getByRole('dialog').getByRole('button', { name: '保存' }).click();
      await expect(page.getByRole('row', { name: /靠窗的货架/ })).toBeVisible();
      edit('console/ShelfPage.tsx', 'return <CrudPage', 'return <h2>全部货架</h2>; return <CrudPage');
      await expect(page.getByRole('heading', { name: '全部货架' })).toBeVisible();
      edit('console/ShelfPage.tsx', 'return <h2>全部货架</h2>; ', '');
    } finally {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      if (process.platform === 'win32') child.kill();
      else process.kill(-(child.pid ?? 0), 'SIGTERM');
      await ended;
    }
  });

  await test.step('a plugin of the code generator passes the check outside of the tree, unchanged', async () => {
    for (const { path, text } of emit(bill)) {
      mkdirSync(dirname(join(workspace, 'unpacked', path)), { recursive: true });
      writeFileSync(join(workspace, 'unpacked', path), text);
    }
    await npm(['create', '--yes', 'marquee-plugin', 'bill', '--', '--from', 'unpacked'], workspace);
    await npm(['install'], join(workspace, 'bill'));
    expect(await npm(['run', 'check'], join(workspace, 'bill'))).toContain('bill: passed');
  });

  await test.step('it is packed', async () => {
    await npm(['run', 'pack'], folder);
    expect(readdirSync(folder)).toContain('marquee-plugin-shelf-0.1.0.tgz');
    expect(readdirSync(join(folder, 'dist'))).toEqual(expect.arrayContaining(['console', 'contract.js', 'remote', 'server']));
  });
});
