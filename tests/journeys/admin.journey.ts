import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { documentedCommands } from '../support/documented-commands.ts';
import { Product, unoptimized } from './product.ts';

const root = join(import.meta.dirname, '../..');

test('an administrator regains access from the command line; a running server locks its embedded database and is named', async () => {
  const product = new Product();
  const admin = (...args: string[]) =>
    spawnSync(process.execPath, [...unoptimized, 'scripts/run.mjs', 'admin', ...args], {
      cwd: root,
      encoding: 'utf8',
      timeout: 120_000,
      env: { PATH: process.env.PATH, DATA_DIR: product.directory },
    });
  try {
    await product.start();
    const refused = admin('reset-password', 'admin');
    expect({ status: refused.status, said: refused.stderr.trim() }).toMatchObject({
      status: 1,
      said: expect.stringMatching(/^.+ is in use by process \d+\. Stop that server/),
    });
    await product.stop('SIGTERM');

    const given = admin('reset-password', 'admin', '--tenant', '000000', '--second-factor');
    expect(given.stdout).toMatch(/account +admin\n +password +[\w-]{19}\n/);
    expect(admin('reset-password', 'nobody').stderr.trim()).toBe('Account nobody not found in tenant 000000.');
    expect(admin('record-backup').stdout).toMatch(/^\nRecorded a backup of \d{4}-\d\d-\d\d [\d:]+\.\n/);
    expect(admin('reset').stderr).toContain('npm run admin -- reset-password ACCOUNT');

    await product.start();
    await expect(product.signIn()).rejects.toThrow('用户名或密码错误');
    const client = await product.signIn('admin', /password +(\S+)/.exec(given.stdout)?.[1]);
    expect(await client.get('/api/blade-system/param/list')).toMatchObject({ status: 403, msg: '请先修改初始密码' });
  } finally {
    await product.discard();
  }
});

test('the documented commands give an administrator new one-time passwords', async () => {
  test.skip(process.platform === 'win32', 'The documented commands are those of a shell.');
  const product = new Product();
  try {
    await product.start();
    await product.stop();
    const [commands = ''] = documentedCommands('First password and account recovery');
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: product.directory, TENANT: '000000' };
    const { status, stdout, stderr } = spawnSync('sh', ['-ec', commands], { cwd: root, encoding: 'utf8', timeout: 150_000, env });
    const passwords = [...stdout.matchAll(/account +admin\n +password +([\w-]{19})\n/g)].map(([, password]) => password);
    expect({ status, count: passwords.length }, stderr).toEqual({ status: 0, count: 2 });
    await product.start();
    await expect(product.signIn('admin', passwords[0])).rejects.toThrow('用户名或密码错误');
    expect(await (await product.signIn('admin', passwords[1])).get('/api/blade-system/param/list')).toMatchObject({ msg: '请先修改初始密码' });
  } finally {
    await product.discard();
  }
});
