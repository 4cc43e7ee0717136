import { expect, test } from '@rstest/core';
import { linesOf, planOf } from '../../scripts/deployment-plan.mjs';
import { describeDeployment } from '../../src/server/host/deployment-description.ts';
import type { ServerPlugin } from '../../src/server/host/plugin-host/plugin.ts';

const plugin = (id: string, dependencies: string[] = []): ServerPlugin => ({
  id,
  title: [id, id.toUpperCase()],
  dependencies: dependencies,
  menus: [{ code: id, title: [id, id.toUpperCase()], path: `/shop/${id}`, buttons: ['add'] }],
});
const build = (plugins: ServerPlugin[], first: number, all: number) => ({
  plugins: describeDeployment(plugins.map((entry) => ({ plugin: entry, migrations: entry.id === 'lamp' ? { '0001-lamp.sql': '' } : {} }))),
  bytes: { first, all },
});
const [lamp, shade, bulb] = [plugin('lamp'), plugin('shade', ['lamp']), plugin('bulb')];

test('a removed plugin removes its menu and codes, and those of its dependents; its tables stay', () => {
  const plan = planOf(build([shade, lamp], 150_000, 900_000), build([shade, bulb], 149_900, 912_400));
  expect(plan).toEqual({
    order: ['bulb'],
    added: ['bulb'],
    removed: ['lamp'],
    skipped: [{ id: 'shade', reason: 'it requires “lamp”, which is not installed' }],
    menus: {
      added: [{ code: 'bulb', title: ['bulb', 'BULB'], path: '/shop/bulb' }],
      removed: [
        { code: 'lamp', title: ['lamp', 'LAMP'], path: '/shop/lamp' },
        { code: 'shade', title: ['shade', 'SHADE'], path: '/shop/shade' },
      ],
    },
    codes: { added: ['bulb', 'bulb_add'], removed: ['lamp', 'lamp_add', 'shade', 'shade_add'] },
    orphaned: ['lamp'],
    bytes: { first: -100, all: 12_400 },
  });
  expect(linesOf(plan)).toEqual([
    '+ bulb',
    '- lamp',
    '! shade would not run: it requires “lamp”, which is not installed',
    '+ menu: BULB (/shop/bulb)',
    '- menu: LAMP (/shop/lamp), SHADE (/shop/shade)',
    '+ permission codes: bulb, bulb_add',
    '- permission codes: lamp, lamp_add, shade, shade_add',
    'Data: the tables of lamp stay in the database and are available again once the plugin is enabled.',
    'Console: −0.1 kB until the sign-in form, +12.4 kB in all (gzip).',
    'Order: bulb',
  ]);
});

test('the same plugins are no change', () => {
  const same = build([lamp, shade], 1, 2);
  expect(linesOf(planOf(same, same))).toEqual(['Nothing changes: the same plugins.']);
});
