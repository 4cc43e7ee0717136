import { expect, test } from '@rstest/core';
import { dropStatements } from '../../../../scripts/plugin/remove.mjs';
import { scaffold } from '../../../../src/plugins/codegen/server/emit/scaffold.ts';
import { compareTables, migrate } from '../../../../src/server/data/index.ts';
import type { Entity } from '../../../../src/shared/contract/contract.ts';
import { loadEmitted } from '../../../support/emitted-plugin.ts';
import { testServer } from '../../../support/test-server.ts';

test.each([
  ['loyalty-points', 'LoyaltyPoints'],
  ['order', 'Order'],
])('a plugin created as %s runs: its table matches its entity, and rows are added and removed', async (id, className) => {
  const { contract, ...scaffolded } = loadEmitted(scaffold({ id, title: ['积分', 'Points'], under: 'base' }));
  const server = await testServer({ plugins: [scaffolded] });
  expect(server.host.skipped).toEqual([]);
  expect(await compareTables(server.db, contract[className] as Entity)).toEqual([]);
  const headers = await server.signIn();
  const added = await server.post(`/api/${id}/submit`, { name: '第一个' }, { headers });
  expect(added).toMatchObject({ code: 200, data: { name: '第一个', remark: null } });
  expect(await server.post(`/api/${id}/submit`, { name: '第一个' }, { headers })).toMatchObject({ status: 409 });
  expect((await server.get(`/api/${id}/list`, { headers, query: { name: '第一' } })).data.total).toBe(1);
  expect((await server.post(`/api/${id}/remove`, { ids: [added.data.id] }, { headers })).code).toBe(200);
});

test.each([['text'], ['id'], ['crud'], ['menu'], ['class'], ['delete'], ['db'], ['map'], ['page']])(
  'a plugin can have the id %s: no file of it declares a name twice',
  (id) => {
    const files = scaffold({ id, title: ['名称', 'Name'], under: 'base' });
    const { plugin, contract } = loadEmitted(files);
    expect(plugin.id).toBe(id);
    const modules = files.filter(({ path }) => /\.tsx?$/.test(path));
    for (const { path, text } of modules) {
      const names = [...text.matchAll(/^(?:import|export const|export default function) (?:\{ ([^}]*) \}|(\w+))/gm)].flatMap(
        ([, list, one]) => list?.split(', ') ?? [one],
      );
      expect({ path, names }).toEqual({ path, names: [...new Set(names)] });
    }
    expect(Object.keys(contract)).toHaveLength(2);
  },
);

test('a plugin can be created again under the id of one that was removed with its tables', async () => {
  const scaffolded = loadEmitted(scaffold({ id: 'lamp', title: ['灯具', 'Lamps'], under: 'base' }));
  const server = await testServer({ plugins: [scaffolded] });
  await server.db.asPlatform('a plugin is removed', () => server.db.script(dropStatements('lamp', ['lamp']).join('\n')));
  const changed = Object.fromEntries(Object.entries(scaffolded.migrations).map(([name, text]) => [name, `-- another\n${text}`]));
  expect(await migrate(server.db, [{ plugin: scaffolded.plugin, migrations: changed }])).toEqual(['lamp/0001-lamp.sql']);
});
