import { readFileSync } from 'node:fs';
import { expect, test } from '@rstest/core';
import { testServer } from '../../../support/test-server.ts';

const migration = readFileSync(new URL('../../../../src/server/platform/permission/migrations/0016-log-paths.sql', import.meta.url), 'utf8');

test('log pages have the paths of the views of BladeX-compatible consoles', async () => {
  const server = await testServer({ plugins: ['log'] });
  const headers = await server.signIn();
  const { data } = await server.get('/api/things-system/menu/routes', { headers });
  const paths = data[0].children.map(({ path }: { path: string }) => path);
  expect(paths).toEqual(['/monitor/log/usual', '/monitor/log/api', '/monitor/log/error', '/monitor/log/login', '/monitor/log/personal']);
});

test('an older deployment gets these paths, except for entries that an administrator has moved', async () => {
  const server = await testServer({ plugins: ['log'] });
  await server.sql(`update menu set path = replace(path, '/monitor/log/', '/monitor/log_')`);
  await server.sql(`update menu set path = '/audit/log_api' where code = 'log_api'`);
  await server.sql(`insert into menu (code, name, alias, path, category) values ('own', '自建', 'menu', '/monitor/log_usual', 1)`);
  await server.sql(migration);
  const rows = await server.sql(`select code, path from menu where code like 'log\\_%' or code = 'own' order by code`);
  expect(Object.fromEntries(rows.map(({ code, path }) => [code, path]))).toMatchObject({
    log_usual: '/monitor/log/usual',
    log_usual_view: '/monitor/log/usual/view',
    log_api: '/audit/log_api',
    log_error: '/monitor/log/error',
    log_error_view: '/monitor/log/error/view',
    log_login: '/monitor/log/login',
    own: '/monitor/log_usual',
  });
});
