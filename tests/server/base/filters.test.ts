import { expect, test } from '@rstest/core';
import { sql } from 'drizzle-orm';
import { filterHandler, route } from '#server';
import { queryRows } from '../../../src/server/data/database/rows.ts';
import { defineServerPlugin, type InstalledPlugin, type ServerPlugin } from '../../../src/server/host/plugin-host/plugin.ts';
import { filter, NoContent, NoInput, post } from '../../../src/shared/contract/contract.ts';
import { ApiError, problem } from '../../../src/shared/contract/errors.ts';
import { testServer } from '../../support/test-server.ts';

const Pouring = filter<{ litres: number }>('bar:pouring');
const pour = post('/api/test/pour', { title: ['倒酒', 'Pour'], access: 'signedIn', input: NoInput, reply: NoContent });
const tooMuch = problem(409, ['倒得太多', 'Too much is poured.']);

/** Writes a row, runs the filter and records the poured amount. */
const bar = (poured: number[]): InstalledPlugin => ({
  migrations: { '0001-poured.sql': "create table poured (like base_row including all);\n\ncall own_by_tenant('poured');" },
  plugin: defineServerPlugin({
    id: 'bar',
    title: ['酒吧', 'Bar'],
    setup: ({ applyFilters, db }) => ({
      routes: [
        route(pour, async () => {
          await queryRows(db, sql`insert into poured default values`);
          poured.push((await applyFilters(Pouring, { litres: 1 })).litres);
          return null;
        }),
      ],
    }),
  }),
});
const guest = (id: string, handle: (value: { litres: number }) => { litres: number } | undefined): ServerPlugin =>
  defineServerPlugin({ id, title: [id, id], dependencies: ['bar'], setup: () => ({ filters: [filterHandler(Pouring, handle)] }) });

test('filters change an action one after the other; a filter without a result changes nothing', async () => {
  const poured: number[] = [];
  const more = guest('more', ({ litres }) => ({ litres: litres + 1 }));
  const silent = guest('silent', () => undefined);
  const double = guest('double', ({ litres }) => ({ litres: litres * 2 }));
  const server = await testServer({ plugins: [bar(poured), more, silent, double] });
  expect((await server.post(pour.path, {}, { headers: await server.signIn() })).code).toBe(200);
  expect(poured).toEqual([4]);
});

test('a filter that refuses prevents the action with a message, and everything is rolled back', async () => {
  const poured: number[] = [];
  const strict = guest('strict', () => {
    throw new ApiError(tooMuch);
  });
  const server = await testServer({ plugins: [bar(poured), strict] });
  expect(await server.post(pour.path, {}, { headers: await server.signIn() })).toMatchObject({ status: 409, msg: '倒得太多' });
  expect(poured).toEqual([]);
  expect(await server.sql(`select 1 from poured`)).toEqual([]);
});

test('one that fails keeps it from being done too; a plugin that did not start has no say', async () => {
  const poured: number[] = [];
  const fails = guest('fails', () => {
    throw new Error('spilled');
  });
  const server = await testServer({ plugins: [bar(poured), fails] });
  expect(await server.post(pour.path, {}, { headers: await server.signIn() })).toMatchObject({ status: 500 });
  expect(await server.sql(`select 1 from poured`)).toEqual([]);

  const absent = defineServerPlugin({
    id: 'absent',
    title: ['缺', 'Absent'],
    setup: () => ({
      filters: [
        filterHandler(Pouring, () => {
          throw new ApiError(tooMuch);
        }),
      ],
      async start() {
        throw new Error('does not start');
      },
    }),
  });
  const without = await testServer({ plugins: [bar(poured), absent] });
  expect((await without.post(pour.path, {}, { headers: await without.signIn() })).code).toBe(200);
  expect(poured).toEqual([1]);
});
