import { beforeAll, expect } from '@rstest/core';
import type { TSchema } from 'typebox';
import type { Call, Entity } from '#shared/contract';
import { isFilterable, totalOf } from '#shared/entity';
import { maskedKindOf } from '#shared/fields';
import { type RelatedList, relatedLists } from '#shared/record-uses';
import { typeOfField } from '../../src/server/data/schema/field-type.ts';
import { atLeast } from '../support/checked-plugins.ts';
import type { TestServer } from '../support/test-server.ts';
import { type NamedCall, readingCalls } from './census.ts';
import { contractServer, listedEntities, ruleTest } from './contract-server.ts';

type Headers = Record<string, string>;
type Row = Record<string, unknown> & { id: string };

let server: TestServer;
let admin: Headers;
/** A user with every code who sees all rows, but only their ids. */
let idOnly: Headers;
/** A user with every code who sees no row. */
let scoped: Headers;
/** An administrator of another tenant. */
let foreign: Headers;

beforeAll(async () => {
  const contract = await contractServer();
  ({ server } = contract);
  await contract.seeded();
  const entities = listedEntities(server);
  const codes = [...new Set(server.host.routes.flatMap(({ call: { access } }) => (typeof access === 'object' ? Object.values(access) : [])))];
  const limited = async (account: string, type: number, fields: string, value: string) => {
    const { roleId } = await server.createUser({ account, codes });
    for (const name of entities.keys())
      await server.sql(`with added as (
          insert into data_scope (menu_id, scope_name, resource_code, scope_type, scope_class, scope_field, scope_value)
          select id, 's', 's', ${type}, '${name}', '${fields}', '${value}' from menu where code = 'role' returning id)
        insert into role_scope (tenant_id, role_id, scope_category, scope_id) select '000000', ${roleId}, 1, id from added`);
    return server.signIn(account);
  };
  await server.createTenant('100001');
  await server.createUser({ account: 'foreigner', codes, roleAlias: 'admin', tenantId: '100001' });
  admin = contract.headers;
  idOnly = await limited('idOnly', 1, 'id', '');
  scoped = await limited('scoped', 5, '*', '{"field":"id","is":"1"}');
  foreign = await server.signIn('foreigner', '100001');
}, 180_000);

const lists = () => readingCalls().filter(({ call }) => call.filterable && !call.download && !/\/(archived|recycle)-list$/.test(call.path));
/** Users read the notices addressed to them, whatever their data scopes show of all notices. */
const isScoped = ({ call }: NamedCall) => call.path !== '/api/blade-desk/notice/reading/list';
const isPaged = ({ call }: NamedCall) => Boolean(call.page) || (call.reply as { type?: string }).type === 'object';
const childListQuery = { parentId: '1' };

const requestList = (call: Pick<Call, 'path'>, query: Record<string, string>, headers = admin) =>
  server.get(call.path, { headers, query: { ...(call.path.endsWith('child-list') ? childListQuery : {}), current: '1', size: '200', ...query } });
const pageOf = async (call: Pick<Call, 'path'>, query: Record<string, string> = {}, headers = admin) => {
  const { code, msg, data } = await requestList(call, query, headers);
  expect({ path: call.path, query, code, msg }).toMatchObject({ code: 200 });
  return data;
};
const rowsIn = (data: Row[] | { records: Row[] }): Row[] => (Array.isArray(data) ? data : data.records);

const fieldsOf = ({ filterable }: Call) => Object.entries((filterable as Entity).fields).map(([name, schema]) => [name, schema as TSchema] as const);
const isGroupable = ({ filterable }: Call, name: string, schema: TSchema) => isFilterable(filterable as Entity, name) && typeOfField(schema).kind !== 'json';

ruleTest(
  'filter-group',
  'every list gives a group of filters the meaning of the single filters: one of them, or all',
  async () => {
    let compared = 0;
    for (const { name, call } of lists()) {
      const base = rowsIn(await pageOf(call));
      for (const [field, schema] of fieldsOf(call)) {
        const value = base.find((row) => row[field] !== null && row[field] !== undefined && row[field] !== '')?.[field];
        if (value === undefined || !isGroupable(call, field, schema) || maskedKindOf(schema)) continue;
        const filter = { [`${field}_equal`]: String(value) };
        const ids = async (query: Record<string, string>) => rowsIn(await pageOf(call, query)).map(({ id }) => id);
        const wanted = await ids(filter);
        expect({ name, field, ids: await ids({ where: JSON.stringify({ or: [filter, filter] }) }) }).toEqual({ name, field, ids: wanted });
        expect({ name, field, ids: await ids({ where: JSON.stringify({ and: [filter, { [`${field}_null`]: 'true' }] }) }) }).toEqual({ name, field, ids: [] });
        compared += 1;
        break;
      }
    }
    expect(compared).toBeGreaterThanOrEqual(atLeast(60));
  },
  180_000,
);

ruleTest(
  'list-totals',
  'every page counts its groups and adds up its columns over the rows it lists',
  async () => {
    let [groupedFields, summedFields] = [0, 0];
    for (const { name, call } of lists().filter(isPaged)) {
      const totalled = fieldsOf(call).filter(([, schema]) => totalOf(schema) !== undefined);
      const { totals, records, total } = await pageOf(call, { totals: 'true' });
      if (call.page && totals === undefined) continue;
      expect({ name, fields: Object.keys(totals).sort() }).toEqual({ name, fields: totalled.map(([field]) => field).sort() });
      for (const [field, schema] of totalled)
        if (totalOf(schema) === 'sum' && total === records.length) {
          const sum = records.reduce((all: bigint, row: Row) => all + BigInt(Number(row[field] ?? 0)), 0n);
          expect({ name, field, sum: totals[field].sum }).toEqual({ name, field, sum: String(sum) });
          summedFields += 1;
        }
      for (const [field, schema] of fieldsOf(call)) {
        if (!isGroupable(call, field, schema)) continue;
        if (maskedKindOf(schema)) {
          expect({ name, field, code: (await requestList(call, { groups: field })).code }).toEqual({ name, field, code: 400 });
          continue;
        }
        const counted = async () => {
          const { groups, total: matches } = await pageOf(call, { groups: field });
          const sum = groups.reduce((all: number, { count }: { count: number }) => all + count, 0);
          return { name, field, difference: groups.length < 100 ? sum - matches : 0 };
        };
        // Each of these calls adds a row to the API log, and the system log may grow between two statements of a call.
        if (name !== 'log.apiLog.list') await expect.poll(counted).toEqual({ name, field, difference: 0 });
        groupedFields += 1;
      }
    }
    expect(groupedFields).toBeGreaterThanOrEqual(atLeast(200));
    expect(summedFields).toBeGreaterThanOrEqual(atLeast(10));
  },
  300_000,
);

ruleTest(
  'hidden-field',
  'hidden fields are in no group of filters, no totals and no groups',
  async () => {
    let refused = 0;
    for (const { name, call } of lists().filter(isScoped)) {
      const first = await requestList(call, { totals: 'true' }, idOnly);
      // Some lists sort or filter by a field themselves, and refuse every request of a user who may not see it.
      if (first.code === 403 || first.code === 400) continue;
      expect({ name, code: first.code, msg: first.msg }).toMatchObject({ name, code: 200 });
      if (first.data.totals !== undefined) expect({ name, totals: first.data.totals }).toEqual({ name, totals: {} });
      for (const [field, schema] of fieldsOf(call)) {
        if (['id', 'parentId', 'version'].includes(field) || !isGroupable(call, field, schema)) continue;
        const where = await requestList(call, { where: JSON.stringify({ or: [{ [`${field}_notnull`]: 'true' }, { id_notnull: 'true' }] }) }, idOnly);
        expect({ name, field, code: where.code }).toEqual({ name, field, code: 400 });
        if (isPaged({ name, call }))
          expect({ name, field, code: (await requestList(call, { groups: field }, idOnly)).code }).toEqual({ name, field, code: 400 });
        refused += 1;
      }
    }
    expect(refused).toBeGreaterThanOrEqual(atLeast(200));
  },
  300_000,
);

ruleTest(
  'data-scope',
  'data scopes limit groups of filters, totals and groups',
  async () => {
    let checked = 0;
    for (const { name, call } of lists().filter(isScoped)) {
      const [field] = fieldsOf(call).find(([one, schema]) => one !== 'id' && isGroupable(call, one, schema) && !maskedKindOf(schema)) ?? [];
      if (field === undefined) continue;
      const where = JSON.stringify({ or: [{ [`${field}_notnull`]: 'true' }, { [`${field}_null`]: 'true' }] });
      const { code, msg, data } = await requestList(call, { where, ...(isPaged({ name, call }) ? { totals: 'true', groups: field } : {}) }, scoped);
      if (code === 403) continue;
      expect({ name, code, msg }).toMatchObject({ name, code: 200 });
      const sums = Object.values((data.totals ?? {}) as Record<string, { sum?: string; average: string }>).map(({ sum, average }) => [sum ?? '0', average]);
      expect({ name, rows: rowsIn(data), groups: data.groups ?? [], sums }).toEqual({
        name,
        rows: [],
        groups: [],
        sums: sums.map(() => ['0', expect.stringMatching(/^0(\.00)?$/)]),
      });
      checked += 1;
    }
    expect(checked).toBeGreaterThanOrEqual(atLeast(50));
  },
  180_000,
);

ruleTest(
  'related-list',
  'lists that refer to a record count the rows they list, and are refused for a record that the user does not see',
  async () => {
    let related = 0;
    for (const [name, { fields, owner }] of server.db.entities) {
      const page = server.db.references.pageOf(name);
      const [row] = Object.hasOwn(fields, 'id') ? await server.sql(`select id::text as id from ${name} where is_deleted = 0 limit 1`) : [];
      if (page?.list === undefined || !row) continue;
      const read = (headers: Headers) => server.get(relatedLists.path, { headers, query: { entity: name, id: String(row.id) } });
      const { code, msg, data } = await read(admin);
      expect({ name, code, msg }).toMatchObject({ name, code: 200 });
      for (const { list, field, value, count, filter = {} } of data as RelatedList[]) {
        const others = Object.fromEntries(Object.entries(filter).map(([name, wanted]) => [`${name}_equal`, String(wanted)]));
        const { total } = await pageOf({ path: list }, { [`${field}_equal`]: value, ...others, size: '0' });
        expect({ name, list, field, count }).toEqual({ name, list, field, count: total });
        related += 1;
      }
      expect({ name, ...(await read(scoped)) }).toMatchObject({ name, data: null, code: expect.toSatisfy((one: number) => one === 403 || one === 404) });
      if (owner === 'tenant') expect({ name, ...(await read(foreign)) }).toMatchObject({ name, data: null });
    }
    expect(related).toBeGreaterThanOrEqual(atLeast(10));
  },
  300_000,
);
