import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { sparePort } from '../../scripts/port.mjs';
import { openSignedIn } from './console.ts';
import { Product } from './product.ts';
import { visit } from './tabs.ts';

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'marquee-written-'));

/** Plugins that the author does not work on, and that are therefore not built. */
const others = [
  'alipay',
  'bank-file',
  'base-data',
  'codegen',
  'job',
  'log',
  'miniapp',
  'payee',
  'payment',
  'plugins',
  'region',
  'resource',
  'session',
  'sms',
  'storage',
  'task',
  'tenant',
  'wechat-pay',
];

test.beforeAll(() => {
  mkdirSync(join(folder, 'notice'));
  cpSync(join(root, 'src/plugins/notice'), join(folder, 'notice'), { recursive: true });
  writeFileSync(
    join(folder, 'manifest.json'),
    JSON.stringify({ extends: join(root, 'plugins.manifest.json'), without: ['notice', ...others], with: ['./notice'] }),
  );
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Edits a file of the notice plugin as its author would. */
function write(file: string, from: string, to: string): void {
  const path = join(folder, 'notice', file);
  const text = readFileSync(path, 'utf8');
  expect(text).toContain(from);
  writeFileSync(path, text.replace(from, to));
}

test('npm run dev serves both halves; a changed plugin is replaced in the running console, and a restarting server is waited for', async ({ page }) => {
  page.setDefaultTimeout(30_000);
  const product = new Product({ PORT: String(await sparePort()), CAPTCHA_TEST_ANSWER: '', MARQUEE_MANIFEST: join(folder, 'manifest.json') }, [
    'scripts/dev.mjs',
  ]);
  try {
    await product.start();
    await page.goto(product.address);
    await expect(page).toHaveTitle('登录');
    await expect(page.getByRole('progressbar', { name: '自动验证' })).toBeVisible();

    await openSignedIn(page, product, '/system/param/index');
    await page.evaluate(() => Object.assign(window, { isSame: true }));
    const isSame = () => page.evaluate(() => 'isSame' in window);
    await page.getByRole('button', { name: '新增', exact: true }).click();
    const form = page.getByRole('dialog');
    await form.getByRole('textbox', { name: '参数名称' }).fill('尚未保存');
    await form.getByRole('textbox', { name: '参数键名' }).fill('not.saved');
    await form.getByRole('textbox', { name: '参数键值' }).fill('1');
    await visit(page, '/desk/notice/index');
    await expect(page.getByRole('button', { name: '新增', exact: true }).first()).toBeVisible();

    write('console/plugin.ts', "import('./NoticePage.tsx')", "Promise.resolve({ default: () => '今天没有通知' })");
    await expect(page.getByText('今天没有通知')).toBeVisible();
    write('console/plugin.ts', 'export default', "throw new Error('写错了');\nexport default");
    await expect(page.getByText('插件「通知公告」未运行')).toBeVisible();
    write('console/plugin.ts', "throw new Error('写错了');\n", '');
    await expect(page.getByText('今天没有通知')).toBeVisible();

    write('server/plugin.ts', 'const pollSeconds = 5', 'const pollSeconds = 6');
    await expect.poll(() => product.output).toContain('The server has been restarted in');
    await visit(page, '/system/param/index');
    await expect(form.getByRole('textbox', { name: '参数名称' })).toHaveValue('尚未保存');
    await form.getByRole('button', { name: '保存' }).click();
    await expect(page.getByRole('cell', { name: '尚未保存', exact: true })).toBeVisible();
    expect(await isSame()).toBe(true);
  } finally {
    await product.discard();
  }
});

const lampFiles = {
  'contract.ts': `import { crud, entity, get, NoInput } from '#shared/contract';
import { Id, Text } from '#shared/fields';
import { String as Str } from 'typebox';

export const Lamp = entity('lamp', { id: Id(), name: Text({ title: ['名称', 'Name'], maxLength: 64 }) });
export const lamp = crud('/api/shop/lamp', Lamp);
export const shadeOfLamps = get('/api/shop/lamp/shade', { title: ['灯罩', 'Shade'], access: 'signedIn', input: NoInput, reply: Str() });
`,
  'menus.ts': `import { menu } from '#shared/menu-entry';

export const lampMenu = menu({ code: 'lamp', title: ['灯具', 'Lamps'], path: '/base/lamp', under: 'base', icon: 'common', buttons: ['add'] });
`,
  'options.ts': `import { String as Str } from 'typebox';
import { options } from '#shared/options';

export default options({ everywhere: { shade: Str({ default: 'white', description: 'Colour of a shade.' }) } });
`,
  'server/plugin.ts': `import { crudRoutes, defineServerPlugin, repositoryOf, route } from '#server';
import { Lamp, lamp, shadeOfLamps } from '../contract.ts';
import { lampMenu } from '../menus.ts';
import type LampOptions from '../options.ts';

export default defineServerPlugin<typeof LampOptions>({
  id: 'lamp',
  title: ['灯具', 'Lamps'],
  menus: [lampMenu],
  setup: ({ db, options }) => ({ routes: [crudRoutes(lamp, repositoryOf(db, Lamp)), route(shadeOfLamps, async () => \`a \${options.shade} shade\`)] }),
});
`,
  'server/migrations/0001-lamps.sql': `create table lamp (like tenant_row including all, name varchar(64) not null);

call own_by_tenant('lamp');
`,
  'console/plugin.ts': `import { definePlugin, page } from '#kernel';
import { lampMenu } from '../menus.ts';

export default definePlugin({ id: 'lamp', title: ['灯具', 'Lamps'], pages: [page(lampMenu, () => import('./LampPage.tsx'))] });
`,
  'console/LampPage.tsx': `export default function LampPage() {
  return <p>暗</p>;
}
`,
};

const manifestFile = join(folder, 'lamps.manifest.json');
const manifest = (more: object) =>
  writeFileSync(manifestFile, JSON.stringify({ extends: join(root, 'plugins.manifest.json'), without: others, ...more }, null, 2));
const lampFile = (file: string) => join(folder, 'lamp', file);
const writeLamp = (file: string, text: string) => {
  mkdirSync(dirname(lampFile(file)), { recursive: true });
  writeFileSync(lampFile(file), text);
};
const editLamp = (file: string, from: string, to: string) => {
  expect(readFileSync(lampFile(file), 'utf8')).toContain(from);
  writeLamp(file, readFileSync(lampFile(file), 'utf8').replace(from, to));
};

test('an author changes both halves, tables, options and the manifest while npm run dev runs; mistakes are named and leave the state before them', async ({
  page,
}) => {
  test.setTimeout(300_000);
  for (const [file, text] of Object.entries(lampFiles)) writeLamp(file, text);
  manifest({ with: ['./lamp'] });
  const product = new Product({ PORT: String(await sparePort()), CAPTCHA_TEST_ANSWER: '' }, ['scripts/dev.mjs', '--manifest', manifestFile]);
  const said = (text: string) => expect.poll(() => product.output, { timeout: 60_000 }).toContain(text);
  const notice = page.getByRole('status', { name: '开发提示' });
  try {
    await product.start();
    const client = await product.signIn();
    const shade = () => client.get('/api/shop/lamp/shade').then(({ data }) => data);
    expect(await shade()).toBe('a white shade');

    await test.step('a page', async () => {
      await openSignedIn(page, product, '/base/lamp/index');
      await expect(page.getByText('暗', { exact: true })).toBeVisible();
      editLamp('console/LampPage.tsx', '暗', '亮');
      await expect(page.getByText('亮', { exact: true })).toBeVisible();
    });

    await test.step('the server', async () => {
      editLamp('server/plugin.ts', '=> `a ', '=> `one ');
      await expect.poll(shade).toBe('one white shade');
    });

    await test.step('a field without a column is named on the screen, and can be dismissed', async () => {
      editLamp('contract.ts', 'import { Id, Text }', 'import { Id, Integer, Nullable, Text }');
      editLamp('contract.ts', 'maxLength: 64 })', "maxLength: 64 }), watts: Nullable(Integer({ title: ['瓦数', 'Watts'] }))");
      await said('lamp.watts is missing');
      await said('alter table lamp add column watts integer;');
      await expect(notice).toContainText('alter table lamp add column watts integer;');
      await notice.getByRole('button', { name: '关闭' }).click();
      await expect(notice).toBeHidden();
    });

    await test.step('a migration with a mistake, which is then mended', async () => {
      writeLamp('server/migrations/0002-watts.sql', '-- Watts.\nalter table lamp add colum watts integer;\n');
      await said('0002-watts.sql:2: This migration was not applied: syntax error at or near "integer"');
      await expect(notice).toContainText('0002-watts.sql:2');
      expect(await shade()).toBe('one white shade');
      writeLamp('server/migrations/0002-watts.sql', '-- Watts.\nalter table lamp add column watts integer;\n');
      await said('Applied lamp/0002-watts.sql.');
      await said('All tables match their entities.');
      await expect(notice).toBeHidden();
      expect(await client.get('/api/shop/lamp/list')).toMatchObject({ code: 200 });
    });

    await test.step('an applied migration that is changed, and the reset that it names', async () => {
      editLamp('server/migrations/0002-watts.sql', 'integer', 'bigint');
      await said('0002-watts.sql:2: This migration was changed after it had been applied.');
      await said('If not, run: npm run plugin -- reset lamp');
      expect(await client.get('/api/shop/lamp/list')).toMatchObject({ code: 200 });
      editLamp('server/migrations/0002-watts.sql', 'bigint', 'smallint');
      const reset = (...args: string[]) =>
        spawnSync(process.execPath, ['scripts/plugin.mjs', 'reset', 'lamp', '--manifest', manifestFile, ...args], {
          encoding: 'utf8',
          env: { ...process.env, NODE_ENV: '', DATA_DIR: product.directory },
        });
      expect(reset()).toMatchObject({
        status: 1,
        stdout: expect.stringContaining('table lamp with 0 rows'),
        stderr: expect.stringContaining('reset lamp --yes'),
      });
      expect(reset('--yes')).toMatchObject({ status: 0, stderr: '', stdout: expect.stringContaining('Applied lamp/0001-lamps.sql, lamp/0002-watts.sql.') });
      await said('All migrations are applied.');
      expect(await client.post('/api/shop/lamp/submit', { name: '台灯', watts: 40 })).toMatchObject({ code: 200 });
    });

    await test.step('the default of an option, and an option of the manifest', async () => {
      editLamp('options.ts', "'white'", "'green'");
      await said('Changed the options of lamp: {"shade":"green"}.');
      await expect.poll(shade).toBe('one green shade');
      manifest({ with: [{ use: './lamp', options: { shade: 'red' } }] });
      await expect.poll(shade).toBe('one red shade');
    });

    await test.step('a manifest with a mistake, which is then mended', async () => {
      manifest({ with: [{ use: './lamp', options: { shadow: 'red' } }] });
      await said('lamps.manifest.json:');
      await said('plugins.lamp.options.shadow is not known');
      await expect(notice).toContainText('plugins.lamp.options.shadow');
      expect(await shade()).toBe('one red shade');
      manifest({ without: others.filter((id) => id !== 'miniapp'), with: ['./lamp'] });
      await said('Added the plugin miniapp.');
      await expect(notice).toBeHidden();
      await expect.poll(shade).toBe('one green shade');
      await openSignedIn(page, product, '/wel/index');
      await expect(navigation(page)).toContainText('小程序');
    });
  } finally {
    await product.discard();
  }
});

const navigation = (page: Page) => page.getByRole('navigation', { name: '主导航' });
