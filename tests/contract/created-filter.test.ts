import { beforeAll, expect } from '@rstest/core';
import { searchFields } from '../../src/kernel/crud/model/entity-fields.ts';
import { sample } from '../kit/fixtures.ts';
import { atLeast } from '../support/checked-plugins.ts';
import type { TestServer } from '../support/test-server.ts';
import { census } from './census.ts';
import { contractServer, ruleTest } from './contract-server.ts';

let server: TestServer;
let headers: Record<string, string>;

beforeAll(async () => {
  ({ server, headers } = await contractServer());
});

/** Returns every list of rows with a creation time. */
const lists = () => census().calls.filter(({ call }) => call.filterable && 'createTime' in call.filterable.fields && call.method === 'GET' && !call.download);

ruleTest('created-filter', 'every list filters by the creation time of its rows', async () => {
  expect(lists().length).toBeGreaterThanOrEqual(atLeast(1));
  for (const { name, call } of lists()) {
    const listRows = async (range: Record<string, string>) => {
      const { code, msg, data } = await server.get(call.path, { headers, query: { ...(sample(call.input) as object), ...range } });
      expect({ name, code, msg }).toMatchObject({ code: 200 });
      return (Array.isArray(data) ? data : data.records) as unknown[];
    };
    const all = await listRows({});
    expect({ name, rows: await listRows({ createTime_dategt: '2999-01-01 00:00:00' }) }).toEqual({ name, rows: [] });
    const sinceEver = await listRows({ createTime_dategt: '1999-01-01 00:00:00', createTime_datelt: '2999-01-01 00:00:00' });
    // A log may have gained a row in between.
    expect(sinceEver.length, name).toBeGreaterThanOrEqual(all.length);
  }
});

ruleTest('created-filter', 'every screen of a list offers this filter, even if it selects no other field', () => {
  for (const { name, call } of lists()) {
    const filters = searchFields({ list: call } as Parameters<typeof searchFields>[0], []);
    expect({ name, filters: filters.map((field) => field.name) }).toEqual({ name, filters: ['createTime'] });
  }
});
