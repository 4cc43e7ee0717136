import { spawnSync } from 'node:child_process';
import { expect, test } from '@rstest/core';
import { scaffold } from '../../../../src/plugins/codegen/server/emit/scaffold.ts';
import { compareTables } from '../../../../src/server/db/index.ts';
import type { Entity } from '../../../../src/shared/contract.ts';
import { installed } from '../../../support/emitted-plugin.ts';
import { testServer } from '../../../support/test-server.ts';

test.each([
  ['loyalty-points', 'LoyaltyPoints'],
  ['order', 'Order'],
])('a plugin that is begun as %s runs: its table is what its entity says, and its rows come and go', async (id, className) => {
  const { contract, ...begun } = installed(scaffold({ id, title: ['积分', 'Points'], under: 'base' }));
  const server = await testServer({ plugins: [begun] });
  expect(server.host.skipped).toEqual([]);
  expect(await compareTables(server.db, contract[className] as Entity)).toEqual([]);
  const headers = await server.signIn();
  const added = await server.post(`/api/${id}/submit`, { name: '第一个' }, { headers });
  expect(added).toMatchObject({ code: 200, data: { name: '第一个', remark: null } });
  expect(await server.post(`/api/${id}/submit`, { name: '第一个' }, { headers })).toMatchObject({ status: 409 });
  expect((await server.get(`/api/${id}/list`, { headers, query: { name: '第一' } })).data.total).toBe(1);
  expect((await server.post(`/api/${id}/remove`, { ids: [added.data.id] }, { headers })).code).toBe(200);
});

test.each([
  [['Loyalty Points'], 'small letters, digits and single hyphens'],
  [['../loyalty'], 'small letters, digits and single hyphens'],
  [['task'], 'src/plugins/task and tests/plugins/task stands there already'],
  [['menu'], 'has a table or a menu entry of this name already'],
  [['loyalty-points', '--under', 'nowhere'], 'There is no menu group "nowhere"'],
])('npm run plugin new %s is refused, and says why', (given, reason) => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/plugin.mjs', 'new', ...given], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(reason) });
});
