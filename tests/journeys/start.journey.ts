import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { Product } from './product.ts';

const root = join(import.meta.dirname, '../..');

test('the first start keeps its one-time password out of the log, and it must be changed first', async ({ page }) => {
  const product = new Product({ ADMIN_PASSWORD: '', CAPTCHA_MODE: 'off', CAPTCHA_TEST_ANSWER: '' });
  try {
    await product.start();
    await expect.poll(() => product.output).toMatch(/password +in \S+\n/);
    const file = /password +in (\S+)\n/.exec(product.output)?.[1] ?? '';
    expect(file).toBe(join(product.directory, 'initial-password'));
    expect(statSync(file).mode & 0o777).toBe(process.platform === 'win32' ? 0o666 : 0o600);
    const generated = readFileSync(file, 'utf8').trim();
    expect(product.output).not.toContain(generated);
    const client = await product.signIn('admin', generated);
    expect(await client.get('/api/blade-system/param/list')).toMatchObject({ status: 403, msg: '请先修改初始密码' });

    await page.goto(product.address);
    await page.getByRole('textbox', { name: '用户名' }).fill('admin');
    await page.getByLabel('密码', { exact: true }).fill(generated);
    await page.getByRole('button', { name: '登录', exact: true }).click();
    await expect(page.getByRole('heading', { name: '请先设置新密码' })).toBeVisible();
    await page.getByLabel('新密码', { exact: true }).fill('Evening-Lights-1');
    await page.getByLabel('确认新密码', { exact: true }).fill('Evening-Lights-1');
    await page.getByRole('button', { name: '保存新密码' }).click();
    await expect(page.getByRole('navigation', { name: '主导航' })).toBeVisible();

    expect(existsSync(file)).toBe(false);
    await expect(product.signIn('admin', generated)).rejects.toThrow('用户名或密码错误');
    expect(await (await product.signIn('admin', 'Evening-Lights-1')).get('/api/blade-system/param/list')).toMatchObject({ code: 200 });
  } finally {
    await product.discard();
  }
});

test('a second server on the same embedded database is refused with the reason; a stopping one finishes its work and releases it', async () => {
  test.skip(process.platform === 'win32', 'Windows has no signal that asks a process to stop.');
  const product = new Product();
  try {
    await product.start();
    const second = serve({ DATA_DIR: product.directory, PORT: '0' });
    expect(second.status).toBe(1);
    expect(second.stderr.trim()).toMatch(/^.+ is in use by process \d+\. Stop that server first, or give this one another DATA_DIR\.$/m);

    const client = await product.signIn();
    const writes = Array.from({ length: 20 }, (_, index) =>
      client.post('/api/blade-system/param/submit', { paramName: '停机前', paramKey: `drain.${index}`, paramValue: 'x' }).catch(() => undefined),
    );
    await writes[0];
    await product.stop('SIGTERM');
    expect(existsSync(join(product.directory, 'database/marquee.lock'))).toBe(false);
    const acknowledged = (await Promise.all(writes)).filter((answer) => answer?.code === 200).length;
    await product.start();
    const found = await (await product.signIn()).get('/api/blade-system/param/list', { paramKey: 'drain.', size: 100 });
    expect(found.data.total).toBeGreaterThanOrEqual(acknowledged);
    expect(acknowledged).toBeGreaterThan(0);
  } finally {
    await product.discard();
  }
});

test('on a PostgreSQL the server starts only with its own secrets', () => {
  const refused = serve({ NODE_ENV: 'production', DATABASE_URL: 'postgres://postgres@127.0.0.1:1/none', SECRET_KEY: 'short', CLIENT_SECRET: 'sryx_secret' });
  expect(refused.status).not.toBe(0);
  expect(refused.stderr).toContain('SECRET_KEY');
  expect(refused.stderr).toContain('CLIENT_SECRET');
});

test('the test answer of captchas is refused in production', () => {
  const refused = serve({ NODE_ENV: 'production', CAPTCHA_TEST_ANSWER: '7k3fq' });
  expect(refused.status).not.toBe(0);
  expect(refused.stderr).toContain('CAPTCHA_TEST_ANSWER');
});

function serve(environment: Record<string, string>) {
  const directory = mkdtempSync(join(tmpdir(), 'marquee-refused-'));
  const result = spawnSync(process.execPath, [join(root, 'scripts/serve.mjs')], {
    cwd: root,
    encoding: 'utf8',
    timeout: 30_000,
    env: { PATH: process.env.PATH, DATA_DIR: directory, CONSOLE_DIR: join(root, 'dist/console'), ...environment },
  });
  rmSync(directory, { recursive: true, force: true });
  return result;
}
