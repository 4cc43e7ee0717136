import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { PGlite } from '@electric-sql/pglite';
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

test('the documented commands export a person and erase them once it is confirmed', async () => {
  test.skip(process.platform === 'win32', 'The documented commands are those of a shell.');
  test.setTimeout(240_000);
  const product = new Product();
  const archive = join(root, 'zhangsan.zip');
  const [commands = ''] = documentedCommands('Personal data');
  try {
    await product.start();
    const client = await product.signIn();
    const added = await client.post('/api/oms-system/user/submit', { account: 'zhangsan', realName: '张三', name: '张三', phone: '13912345678', userType: 1 });
    expect(added).toMatchObject({ code: 200 });
    await product.stop('SIGTERM');
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: product.directory };
    const { status, stdout, stderr } = spawnSync('sh', ['-ec', commands], { cwd: root, encoding: 'utf8', timeout: 200_000, env });
    expect({ status, stdout }, stderr).toEqual({ status: 0, stdout: expect.stringContaining('Nothing has been changed. Repeat the command with --yes') });
    expect(stdout).toContain('User account (organization): 1 cleared');
    expect(existsSync(archive)).toBe(true);
    const database = await PGlite.create(join(product.directory, 'database/postgres'));
    const { rows } = await database.query("select 1 from user_account where account = 'zhangsan' or phone = '13912345678'");
    await database.close();
    expect(rows).toEqual([]);
  } finally {
    rmSync(archive, { force: true });
    await product.discard();
  }
});

test('the documented command verifies logs and money, and names a line that was changed in the database', async () => {
  test.skip(process.platform === 'win32', 'The documented command is one of a shell.');
  test.setTimeout(300_000);
  const product = new Product();
  const [command = ''] = documentedCommands('Changes in the database');
  const verify = () => {
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: product.directory };
    return spawnSync('sh', ['-ec', command], { cwd: root, encoding: 'utf8', timeout: 150_000, env });
  };
  try {
    await product.start();
    await product.signIn();
    // Lines are sealed a minute after the start.
    await pause(75_000);
    await product.stop('SIGTERM');
    const sound = verify();
    expect({ status: sound.status, said: sound.stdout }, sound.stderr).toMatchObject({
      status: 0,
      said: expect.stringMatching(/^000000 +login_log +seals 1–1, 1 rows: as sealed$/m),
    });
    const database = await PGlite.create(join(product.directory, 'database/postgres'));
    const { rows } = await database.query<{ id: string }>("update login_log set address = '10.0.0.1' returning id::text as id");
    await database.close();
    const changed = verify();
    expect(changed.status).toBe(1);
    expect(changed.stdout).toMatch(new RegExp(`^  row ${rows[0]?.id} was changed \\(seal 1, ids 0 to \\d+\\)$`, 'm'));
  } finally {
    await product.discard();
  }
});

test('the documented commands encrypt stored secrets with a new key, replace the key of access tokens and revoke it', async () => {
  test.skip(process.platform === 'win32', 'The documented commands are those of a shell.');
  test.setTimeout(240_000);
  const environment: Record<string, string> = {};
  const product = new Product(environment);
  const run = (command = '') => {
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: product.directory, ...environment };
    return spawnSync('sh', ['-ec', command], { cwd: root, encoding: 'utf8', timeout: 150_000, env }).stdout.trim();
  };
  const reseal = () => run(documentedCommands('Exchanging the key')[0]);
  const [rotate, revoke] = documentedCommands('Keys of access tokens');
  try {
    await product.start();
    const session = await product.signIn();
    const aliyun = { smsCode: 'ali', category: '3', accessKey: 'LTAI-key', secretKey: 'very-secret', signName: '签名', templateId: 'SMS_1' };
    expect(await session.post('/api/blade-resource/sms/submit', aliyun)).toMatchObject({ status: 200 });
    await product.stop();

    environment.SECRET_KEY = randomBytes(48).toString('base64');
    environment.SECRET_KEY_FALLBACKS = readFileSync(join(product.directory, 'secret.key'), 'utf8').trim();
    expect(reseal()).toMatch(/^[1-9]\d* secrets? ha(s|ve) been encrypted with SECRET_KEY\. No other key is needed: remove SECRET_KEY_FALLBACKS\.$/m);
    await product.start();
    expect(await session.get('/api/blade-system/menu/routes')).toMatchObject({ status: 200 });
    await product.stop();

    delete environment.SECRET_KEY_FALLBACKS;
    expect(reseal()).toMatch(/^0 secrets have been encrypted/m);
    expect(run(rotate)).toMatch(/^The key [\w-]{43} signs access tokens from \d{4}-\d\d-\d\d [\d:]+ on: it must be published for an hour before\.$/m);
    await product.start();
    expect(await session.get('/api/blade-system/menu/routes')).toMatchObject({ status: 200 });
    await product.stop();

    expect(run(revoke)).toMatch(/^All access tokens have been revoked\. The key [\w-]{43} signs new ones\.$/m);
    await product.start();
    expect(await session.get('/api/blade-system/menu/routes')).toMatchObject({ status: 401 });
    expect(await (await product.signIn()).get('/api/blade-system/menu/routes')).toMatchObject({ status: 200 });
  } finally {
    await product.discard();
  }
});
