import { readFileSync } from 'node:fs';
import { expect, test } from '@rstest/core';
import type { ParameterState } from '#plugins/settings/setting-contract';
import { filesUnder } from '../../../architecture/source.ts';
import { clientHeaders, testServer } from '../../../support/test-server.ts';

const at = '/api/blade-system/param';

test('a known parameter accepts valid values only, an unknown one anything', async () => {
  const server = await testServer({ plugins: ['settings'] });
  const headers = await server.signIn();
  const [{ id }] = (await server.get(`${at}/list`, { headers, query: { paramKey_equal: 'account.failCount' } })).data.records;
  const save = (form: object) => server.post(`${at}/submit`, { paramName: 'x', ...form }, { headers });
  expect(await save({ id, paramKey: 'account.failCount', paramValue: 'five' })).toMatchObject({ status: 400, body: { field: 'paramValue' } });
  expect(await save({ paramKey: 'account.registerUser', paramValue: 'perhaps' })).toMatchObject({ status: 400 });
  expect(await save({ paramKey: 'account.registerUser', paramValue: 'true' })).toMatchObject({ code: 200 });
  expect(await save({ paramKey: 'our.own.key', paramValue: 'perhaps' })).toMatchObject({ code: 200 });
});

test('a changed parameter holds at once, on every replica', async () => {
  const one = await testServer({ plugins: ['settings'] });
  const two = await testServer({ plugins: ['settings'], db: one.db });
  const headers = await one.signIn();
  await one.createUser({ account: 'guessed' });
  const [found] = (await one.get(`${at}/list`, { headers, query: { paramKey_equal: 'account.failCount' } })).data.records;
  const { version: _, ...row } = found;
  const limit = (paramValue: string) => one.post(`${at}/submit`, { ...row, paramValue }, { headers });
  const guess = async () => {
    const { body } = await two.post(
      '/api/things-auth/oauth/token',
      { grant_type: 'password', username: 'guessed', password: 'wrong' },
      { headers: clientHeaders },
    );
    return body.error_description as string;
  };
  expect(await guess()).toBe('用户名或密码错误');
  await limit('1');
  expect(await guess()).toBe('用户登录失败次数过多');
  await limit('50');
  expect(await guess()).toBe('用户名或密码错误');
});

test('the settings page lists every parameter, its value and its last editor, and the server enforces the declaration', async () => {
  const server = await testServer({ plugins: ['settings', 'dictionary', 'organization', 'tenant'] });
  const headers = await server.signIn();
  const of = async (key: string) => ((await server.get('/api/blade-system/setting/list', { headers })).data as ParameterState[]).find((one) => one.key === key);
  const set = (form: object) => server.post('/api/blade-system/setting/set', form, { headers });
  expect(await of('sms.perPhone')).toMatchObject({ type: 'whole', value: '5', preset: 5, minimum: 1, isDefault: true, changedBy: null });
  expect(await set({ key: 'sms.perPhone', value: '0' })).toMatchObject({
    status: 400,
    msg: '每号码每小时短信数须为 1 到 1000000 的整数',
    body: { field: 'value' },
  });
  expect(await set({ key: 'sms.perPhone', value: '7' })).toMatchObject({ code: 200 });
  expect(await of('sms.perPhone')).toMatchObject({ value: '7', isDefault: false, changedBy: '管理员' });
  expect(await set({ key: 'nobody.declares', value: '7' })).toMatchObject({ status: 404 });
  expect(await server.post('/api/blade-system/setting/reset', { key: 'sms.perPhone' }, { headers })).toMatchObject({ code: 200 });
  expect(await of('sms.perPhone')).toMatchObject({ value: '5', isDefault: true });

  await server.createTenant('acme');
  expect(await set({ key: 'sms.perPhone', tenantId: 'acme', value: '7' })).toMatchObject({ status: 400, msg: '此参数不能按租户设置' });
  expect(await set({ key: 'file.tenantMegabytes', tenantId: 'nobody', value: '7' })).toMatchObject({ status: 400, msg: '租户不存在' });
  expect(await set({ key: 'file.tenantMegabytes', tenantId: 'acme', value: '50' })).toMatchObject({ code: 200 });
  expect(await of('file.tenantMegabytes')).toMatchObject({ value: '0', own: [{ tenantId: 'acme', value: '50' }] });
  await expect
    .poll(async () => JSON.stringify(await server.sql("select * from api_log where request_uri like '%/setting/set%'")))
    .toContain('file.tenantMegabytes');

  await server.createUser({ account: 'nobody' });
  expect(await server.get('/api/blade-system/setting/list', { headers: await server.signIn('nobody') })).toMatchObject({ status: 403 });
});

const declarations = /export const (\w+) = (?:(?:(?:integer|text|flag|choice)Parameter|smsLimit|personalRetentionDays)\(\{\s*key: |logRetention\()'([\w.]+)'/g;

test('every parameter is declared once, listed by its plugin and read, and none is read without a declaration', async () => {
  const files = filesUnder('src');
  const declared = files.flatMap(({ text }) => [...text.matchAll(declarations)].map(([, name = '', key = '']) => ({ name, key })));
  const grouped = files.flatMap(({ text }) => [...text.matchAll(/^ +\w+: hoursParameter\(\s*'([\w.]+)'/gm)].map(([, key]) => key));
  const keys = [...declared.map(({ key }) => key), ...grouped];
  expect(new Set(keys).size).toBe(keys.length);
  const server = await testServer({
    plugins: [
      'settings',
      'dictionary',
      'organization',
      'tenant',
      'region',
      'storage',
      'resource',
      'base-data',
      'miniapp',
      'task',
      'registration',
      'payment',
      'sms',
      'job',
      'notice',
      'transfers',
      'email',
      'backup',
    ],
  });
  const { data } = await server.get('/api/blade-system/setting/list', { headers: await server.signIn() });
  expect((data as ParameterState[]).map(({ key }) => key).sort()).toEqual([...keys].sort());
  const reads = files.flatMap(({ text }) =>
    [...text.matchAll(/(?:parameters\.(?:integer|text|flag)\(|parameter: |retention: \{ days: )(\w+)/g)].map(([, name = '']) => name),
  );
  const read = new Set(reads);
  expect(declared.filter(({ name }) => !read.has(name))).toEqual([]);
  const operating = readFileSync('docs/operating.md', 'utf8');
  expect((data as ParameterState[]).map(documented).filter((row) => !operating.includes(row))).toEqual([]);
});

/** Returns the line that docs/operating.md must have for a parameter. */
function documented(parameter: ParameterState): string {
  const { key, help, preset, isPerTenant = false } = parameter;
  const unit = 'unit' in parameter && parameter.unit ? ` ${parameter.unit[1]}` : '';
  const range = parameter.type === 'whole' ? `${parameter.minimum} to ${parameter.maximum}` : parameter.type;
  return `| \`${key}\` | ${String(preset) === '' ? '' : `\`${preset}\`${unit}`} | ${range} | ${help[1]}${isPerTenant ? '; per tenant too' : ''} |`;
}

test('declared parameters have names in both languages, found and shown in each, until they are renamed', async () => {
  const server = await testServer({ plugins: ['settings'] });
  const headers = await server.signIn();
  const rowOf = async (query: Record<string, string>) => (await server.get(`${at}/list`, { headers, query })).data.records[0];
  const seeded = await rowOf({ paramNameEn: 'before lockout' });
  expect(seeded).toMatchObject({ paramKey: 'account.failCount', paramName: '登录失败锁定次数', paramNameEn: 'Failed sign-ins before lockout', remark: null });
  await server.post('/api/blade-system/setting/set', { key: 'account.initPasswordDays', value: '5' }, { headers });
  expect((await rowOf({ paramKey_equal: 'account.initPasswordDays' })).paramNameEn).toMatch(/^[A-Z]/);
  const { data } = await server.post(`${at}/submit`, { id: seeded.id, version: seeded.version, paramName: '锁定' }, { headers });
  expect(data).toMatchObject({ paramName: '锁定', paramNameEn: null });

  // Rows of a version without English names.
  await server.sql('update param set param_name_en = null');
  await server.sql("delete from seeded_plugin where plugin_id = 'settings@2'");
  const later = await testServer({ plugins: ['settings'], db: server.db });
  const names = await later.sql('select param_key, param_name_en is null as nameless from param where is_deleted = 0 order by param_key');
  expect(names).toEqual([
    { param_key: 'account.failCount', nameless: true },
    { param_key: 'account.initPasswordDays', nameless: false },
  ]);
});
