import { beforeAll, expect } from '@rstest/core';
import type { TObject } from 'typebox';
import type { Call, Crud } from '#shared/contract';
import { sample } from '../kit/fixtures.ts';
import { atLeast } from '../support/checked-plugins.ts';
import { password, type TestServer } from '../support/test-server.ts';
import { census } from './census.ts';
import { contractServer, ruleTest } from './contract-server.ts';
import type { SampleForms } from './sample-forms.ts';

/**
 * Sends every generic call as consoles of the BladeX-compatible API do: parameters of writes in the query, forms with every control, empty ones as `""`,
 * rows sent back whole with the labels that the console has put beside them, urlencoded bodies.
 */
let server: TestServer;
let headers: Record<string, string>;
let forms: SampleForms;

beforeAll(async () => {
  const contract = await contractServer();
  ({ server, headers } = contract);
  forms = await contract.forms();
  headers = await signInByConsole();
});

const saber = { clientId: 'saber', clientSecret: 'Quiet-Harbour-71', authorizedGrantTypes: 'password', compatibility: 'bladex' };

/** Returns the headers of an administrator's session in a BladeX-compatible console. */
async function signInByConsole() {
  await server.post('/api/blade-system/client/submit', saber, { headers });
  return signInAgain();
}

async function signInAgain() {
  const basic = { authorization: `Basic ${btoa(`${saber.clientId}:${saber.clientSecret}`)}` };
  const { data } = await server.post('/api/blade-auth/token', { grantType: 'password', account: 'admin', password }, { headers: basic });
  return { ...basic, 'blade-auth': `bearer ${data.accessToken}` };
}

type Row = Record<string, unknown>;
interface Sent {
  readonly query?: Record<string, string>;
  readonly body?: unknown;
  readonly type?: string;
}

async function send({ method, path }: Pick<Call, 'method' | 'path'>, { query = {}, body, type = 'application/json' }: Sent) {
  const payload = body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body), headers: { ...headers, 'content-type': type } };
  const reply = await server.app.inject({ method: method as 'GET', url: path, query, headers, ...payload });
  return reply.json() as { code: number; msg: string; data: never };
}

/** Returns the initial controls of a form in such a console: every field of the schema, empty ones as `""` or `[]`. */
const emptyControls = ({ submit }: Crud): Row =>
  Object.fromEntries(
    Object.entries(submit.input.properties as Record<string, { type?: string | string[] }>).map(([name, { type }]) => [
      name,
      [type].flat().includes('array') ? [] : '',
    ]),
  );

/** Adds the labels that the console stores beside each value, under names that begin with `$`. */
const withLabels = (row: Row): Row => ({ ...row, ...Object.fromEntries(Object.keys(row).map((name) => [`$${name}`, '标签'])), $index: 0 });

ruleTest('bladex-client', 'every generic screen is opened, searched with empty filters, added to, edited with a whole row and emptied', async () => {
  const departures: unknown[] = [];
  for (const { name, crud } of census().cruds) {
    const note = (step: string, { code, msg }: { code: number; msg: string }) => code === 200 || departures.push({ name, step, code, msg });
    const filters = Object.fromEntries(Object.keys(crud.list.filterable?.fields ?? {}).flatMap((field) => (field === 'id' ? [] : [[field, '']])));
    note('search', await send(crud.list, { query: { ...filters, current: '1', size: '10' } }));
    const form = await forms.of(name, crud);
    if (forms.isRefused(name)) continue;
    const added = await send(crud.submit, { body: withLabels({ ...emptyControls(crud), ...form }) });
    note('add', added);
    if (added.code !== 200) continue;
    const { id } = added.data as Row;
    const shown = await send(crud.detail, { query: { id: String(id) } });
    note('view', shown);
    note('edit', await send(crud.submit, { body: withLabels(shown.data) }));
    expect({ name, row: without(await rowOf(crud, String(id))) }).toEqual({ name, row: without(shown.data) });
    note('remove', await send(crud.remove, { query: { ids: String(id) } }));
    const again = await send(crud.submit, { body: { ...emptyControls(crud), ...form } });
    note('add again', again);
    note('remove by form', await send(crud.remove, { body: `ids=${(again.data as Row | undefined)?.id}`, type: 'application/x-www-form-urlencoded' }));
  }
  expect(departures).toEqual([]);
});

const rowOf = async (crud: Crud, id: string) => (await send(crud.detail, { query: { id } })).data as Row;
const without = ({ updateTime: _time, updated_at: _at, updateUser: _by, version: _version, ...row }: Row) => row;

/** Messages of parameters that could not be read. */
const unread = /缺少必要的请求参数|请求参数格式错误|请输入|请选择|消息不能读取/;

/** Tells whether query and urlencoded body can carry an input: consoles send nested objects as JSON only. */
const isFlat = ({ input }: Call) =>
  Object.values(((input as TObject).properties ?? {}) as Record<string, { type?: unknown; items?: { type?: unknown } }>).every(
    ({ type, items }) => type !== 'object' && items?.type !== 'object',
  );

ruleTest(
  'bladex-client',
  'every write accepts its parameters from the query, an urlencoded body and JSON',
  async () => {
    const calls = census().calls.filter(
      ({ call }) => call.method === 'POST' && !call.upload && !call.raw && (call.input as TObject).type === 'object' && isFlat(call),
    );
    expect(calls.length).toBeGreaterThanOrEqual(atLeast(150));
    const departures: unknown[] = [];
    for (const { name, call } of calls) {
      const input = sample(call.input);
      const text = Object.entries(input).flatMap(([key, value]) => (value === null ? [] : [[key, Array.isArray(value) ? value.join(',') : String(value)]]));
      const query = Object.fromEntries(text) as Record<string, string>;
      const sent = { json: { body: input }, query: { query }, form: { body: String(new URLSearchParams(query)), type: 'application/x-www-form-urlencoded' } };
      const read: Record<string, boolean> = {};
      for (const [way, request] of Object.entries(sent)) {
        const { code, msg } = await send(call, request);
        read[way] = !unread.test(msg);
        // Some calls end the session, lock it or remove its permissions.
        if (code === 401 || code === 423) headers = await signInAgain();
      }
      if (new Set(Object.values(read)).size > 1) departures.push({ name, ...read });
    }
    expect(departures).toEqual([]);
  },
  120_000,
);
