import { expect } from '@rstest/core';
import type { TObject, TSchema } from 'typebox';
import { routePaths } from '../../src/server/platform/http/route.ts';
import { sample } from '../kit/fixtures.ts';
import { atLeast, isChecked } from '../support/checked-plugins.ts';
import type { Reply, TestServer } from '../support/test-server.ts';
import { contractServer, ruleTest } from './contract-server.ts';

const callCount = 1000;
const concurrency = 20;
const seed = Number(process.env.ISOLATION_SEED ?? 20_260_101);

/** Returns a seeded random number generator, so that a failure can be reproduced. */
function randomFrom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Tenant with an administrator, and rows that contain a secret. */
interface SecretTenant {
  readonly tenantId: string;
  readonly secret: string;
  readonly headers: Record<string, string>;
  /** Ids of the rows that contain the secret. */
  readonly ids: readonly string[];
}

/** Inserts rows of many types that contain the secret, and returns their ids. */
async function insertSecretRows(server: TestServer, tenantId: string, secret: string): Promise<string[]> {
  await server.sql(`insert into dept (tenant_id, dept_name, full_name) values ('${tenantId}', '${secret}', '${secret}')`);
  await server.sql(`insert into post (tenant_id, category, post_code, post_name, sort) values ('${tenantId}', '1', '${secret}', '${secret}', 1)`);
  await server.sql(`insert into role (tenant_id, role_name, role_alias) values ('${tenantId}', '${secret}', '${secret}')`);
  await server.sql(
    `insert into user_account (tenant_id, account, password_hash, name, real_name, phone) values ('${tenantId}', '${secret}', 'x', '${secret}', '${secret}', '${secret}')`,
  );
  await server.sql(
    `insert into login_log (tenant_id, account, outcome, way, address, device, client_id) values ('${tenantId}', '${secret}', 'granted', 'password', '${secret}', '${secret}', 'x')`,
  );
  await server.sql(
    `insert into social_app (tenant_id, source, client_id, client_secret, is_enabled) values ('${tenantId}', 'github', '${secret}', '${secret}', 1)`,
  );
  await server.sql(`update tenant set tenant_name = '${secret}', linkman = '${secret}', address = '${secret}' where tenant_id = '${tenantId}'`);
  const rows = await server.sql(
    ['dept', 'post', 'role', 'user_account', 'login_log', 'social_app', 'tenant']
      .map((table) => `select id::text as id from ${table} t where tenant_id = '${tenantId}' and t::text like '%${secret}%'`)
      .join(' union all '),
  );
  return rows.map(({ id }) => String(id));
}

/** Returns every permission code that a route requires, so that a user with all of them reaches the rows. */
const codesOf = ({ host }: TestServer): string[] => [
  ...new Set(host.routes.flatMap(({ call: { access: who } }) => (typeof who === 'object' ? Object.values(who) : []))),
];

/** Values with which fields are filled. */
interface KnownValues {
  readonly ids: readonly string[];
  readonly texts: readonly string[];
}

/** The keywords of a field's JSON schema that decide its value. */
interface FieldSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly items?: FieldSchema;
  readonly properties?: object;
}

/** Returns a value that the field accepts, mostly an id or a text of either tenant. */
function valueFor(schema: FieldSchema, { ids, texts }: KnownValues, random: () => number): unknown {
  const oneOf = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)] as Value;
  const type = [schema.type].flat()[0];
  if (schema.enum) return oneOf(schema.enum);
  if (schema.properties) return randomInput(schema as unknown as TSchema, { ids, texts }, random);
  if (schema.items) return [valueFor(schema.items, { ids, texts }, random)];
  if (schema.format === 'int64') return oneOf(ids);
  if (schema.format === 'wire-date-time') return '2026-01-31 08:00:00';
  if (type === 'integer' || type === 'number') return Math.floor(random() * 20);
  if (type === 'boolean') return random() < 0.5;
  return random() < 0.7 ? oneOf(texts) : oneOf(ids);
}

/** Returns an input with the required fields and some of the optional ones. */
function randomInput(schema: TSchema, known: KnownValues, random: () => number): Record<string, unknown> {
  const { properties = {}, required = [] } = schema as TObject & { required?: string[] };
  const fields = Object.entries(properties).filter(([name]) => (required as readonly string[]).includes(name) || random() < 0.4);
  const sampled = sample(schema);
  // Ids always belong to a tenant; some other fields keep their sample value, so that more calls get as far as a query.
  const keepsSample = (name: string, { format, items }: FieldSchema) => name in sampled && format !== 'int64' && items?.format !== 'int64' && random() < 0.3;
  return Object.fromEntries(
    fields.map(([name, field]) => [name, keepsSample(name, field as FieldSchema) ? sampled[name] : valueFor(field as FieldSchema, known, random)]),
  );
}

ruleTest(
  'tenant-isolation',
  `a thousand random calls show and change no rows of another tenant (seed ${seed})`,
  async () => {
    const random = randomFrom(seed);
    const { server } = await contractServer();
    const routes = server.host.routes.filter(
      ({ plugin, call: { upload, redirect, access: who } }) => isChecked(plugin) && !upload && !redirect && who !== 'open',
    );
    expect(routes.length).toBeGreaterThanOrEqual(atLeast(100));
    const codes = codesOf(server);
    const tenants: SecretTenant[] = [];
    for (const tenantId of ['north', 'south']) {
      const secret = `secret-of-${tenantId}-${Math.floor(random() * 1e9)}`;
      await server.createTenant(tenantId);
      await server.createUser({ account: 'boss', codes, roleAlias: 'admin', tenantId });
      const ids = await insertSecretRows(server, tenantId, secret);
      tenants.push({ tenantId, secret, ids, headers: await server.signIn('boss', tenantId) });
    }
    const [caller, other] = tenants as [SecretTenant, SecretTenant];
    const rowsOfOther = async () => {
      const tables = ['dept', 'post', 'role', 'user_account', 'social_app', 'tenant', 'role_menu', 'user_role'];
      return Promise.all(
        tables.map((table) =>
          server.sql(
            `select '${table}' as table, md5(string_agg(t::text, '|' order by t::text)) as digest from ${table} t where tenant_id = '${other.tenantId}'`,
          ),
        ),
      );
    };
    const before = await rowsOfOther();
    const known: KnownValues = { ids: [...other.ids, ...other.ids, ...caller.ids, '1'], texts: [other.tenantId, 'boss', 'secret', '1', caller.tenantId] };
    const leaks: string[] = [];
    const statuses = new Map<number, number>();
    const sendRandomCall = async () => {
      const route = routes[Math.floor(random() * routes.length)] as (typeof routes)[number];
      const { call } = route;
      const path = routePaths(route)[0] ?? call.path;
      const input = { ...randomInput(call.input, known, random), ...(call.filterable && random() < 0.5 ? { size: 200 } : {}) };
      const headers = { ...caller.headers, 'tenant-id': other.tenantId };
      const reply: Reply =
        call.method === 'GET'
          ? await server.get(path, { headers, query: queryOf(input) })
          : await server.post(path, { ...input, tenantId: other.tenantId }, { headers });
      statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
      if (JSON.stringify(reply.body).includes(other.secret)) leaks.push(`${call.method} ${path} ${JSON.stringify(input)}`);
    };
    // The routes of a single plugin get ten calls each. Calls run concurrently, because some wait for background work.
    const wantedCount = Math.min(callCount, routes.length * 10);
    for (let count = 0; count < wantedCount; count += concurrency) await Promise.all(Array.from({ length: concurrency }, sendRandomCall));
    // The owner of the secret finds it.
    expect(JSON.stringify((await server.get('/api/blade-system/dept/list', { headers: other.headers })).body)).toContain(other.secret);
    expect(leaks).toEqual([]);
    expect(await rowsOfOther()).toEqual(before);
    // A run in which everything was refused would prove nothing. Calls that archive, restore or read one history mostly miss with random ids.
    expect(statuses.get(200) ?? 0).toBeGreaterThanOrEqual(atLeast(callCount / 7));
    expect(statuses.get(500) ?? 0, JSON.stringify([...statuses])).toBe(0);
  },
  180_000,
);

/** Fields of the reply to an export that depend on the load of the server and not on its rows. */
const progressFields = ['state', 'place', 'progress', 'total', 'fileName', 'endTime', 'expiresAt'] as const;
const withoutProgress = (name: string, value: unknown) => ((progressFields as readonly string[]).includes(name) ? undefined : value);

/** Returns a reply as text without what differs between equal calls: ids, versions, times and samples. */
const comparableText = ({ status, body }: Reply) =>
  JSON.stringify([status, body], body?.data?.kind === 'export' ? withoutProgress : undefined)
    .replace(/\d{12,}/g, '#')
    .replace(/"version":"\d+"/g, '"version":"#"')
    .replace(/样例-\w+/g, '样例')
    .replace(/\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d/g, 'then');

/** Returns a function for each field that takes an id, which sets the id in an input. */
function idSetters(schema: TSchema): ((input: Record<string, unknown>, id: string) => Record<string, unknown>)[] {
  const { properties = {} } = schema as TObject;
  return Object.entries(properties as Record<string, FieldSchema>).flatMap(([name, field]) => {
    if (field.format === 'int64') return [(input: Record<string, unknown>, id: string) => ({ ...input, [name]: id })];
    if (field.items?.format === 'int64') return [(input: Record<string, unknown>, id: string) => ({ ...input, [name]: [id] })];
    return [];
  });
}

ruleTest(
  'tenant-isolation',
  'every call with an id of another tenant answers as if the id did not exist',
  async () => {
    const { server } = await contractServer();
    const routes = server.host.routes.filter(
      ({ plugin, call: { upload, redirect, access: who } }) => isChecked(plugin) && !upload && !redirect && who !== 'open',
    );
    const codes = codesOf(server);
    for (const tenantId of ['east', 'west']) {
      await server.createTenant(tenantId);
      await server.createUser({ account: 'boss', codes, roleAlias: 'admin', tenantId });
    }
    const foreignIds = await insertSecretRows(server, 'west', 'a secret');
    const headers = await server.signIn('boss', 'east');
    const send = (path: string, method: string, input: Record<string, unknown>) =>
      method === 'GET' ? server.get(path, { headers, query: queryOf(input) }) : server.post(path, input, { headers });
    const differences: string[] = [];
    const statuses = new Map<number, number>();
    const compareReplies = async ({ call: { path, method, input } }: (typeof routes)[number], setId: ReturnType<typeof idSetters>[number], offset: number) => {
      // Each call gets the ids of rows of two types; the types rotate from call to call.
      for (const step of [0, 3]) {
        const id = foreignIds[(offset + step) % foreignIds.length] as string;
        // The server limits the number of exports that a user can have waiting.
        if (path.endsWith('/export')) await server.sql("update transfer set state = 'cancelled' where state = 'queued'");
        const [foreign, absent] = [await send(path, method, setId(sample(input), id)), await send(path, method, setId(sample(input), '999999999999999999'))];
        statuses.set(foreign.status, (statuses.get(foreign.status) ?? 0) + 1);
        if (comparableText(foreign) !== comparableText(absent)) differences.push(`${method} ${path}: ${comparableText(foreign)} and ${comparableText(absent)}`);
        // Input that is invalid or forbidden is refused whatever the id is, so a second id would add nothing.
        if (foreign.status === 400 || foreign.status === 403) return;
      }
    };
    const cases = routes.flatMap((route) => idSetters(route.call.input).map((setId) => ({ route, setId })));
    const isExport = ({ route }: (typeof cases)[number]) => route.call.path.endsWith('/export');
    const others = cases.filter((each) => !isExport(each));
    for (let from = 0; from < others.length; from += concurrency)
      await Promise.all(others.slice(from, from + concurrency).map(({ route, setId }, index) => compareReplies(route, setId, from + index)));
    for (const [index, { route, setId }] of cases.filter(isExport).entries()) await compareReplies(route, setId, index);
    expect(differences).toEqual([]);
    expect(statuses.get(404) ?? 0, JSON.stringify([...statuses])).toBeGreaterThanOrEqual(atLeast(50));
  },
  180_000,
);

const queryOf = (input: Record<string, unknown>) => Object.fromEntries(Object.entries(input).map(([name, value]) => [name, String(value)]));
