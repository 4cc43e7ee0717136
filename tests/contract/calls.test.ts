import { beforeAll, expect } from '@rstest/core';
import type { TSchema } from 'typebox';
import Schema from 'typebox/schema';
import { plugins } from '#deployment/server';
import type { Call, Crud, Entity } from '#shared/contract';
import { traitsOf } from '#shared/fields';
import { type HistoryEntry, isTracked } from '#shared/history-schemas';
import { menuGroups } from '#shared/menu-groups';
import { isEmpty } from '#shared/text';
import { menuIconPaths } from '../../src/kernel/ui/menus/MenuIcon.tsx';
import { compareTables } from '../../src/server/data/index.ts';
import { sample } from '../kit/fixtures.ts';
import { atLeast, isChecked } from '../support/checked-plugins.ts';
import { password, type Reply, type TestServer } from '../support/test-server.ts';
import { bladexCalls, expandCalls } from './bladex-calls.ts';
import { census, censusOfTree, menusOfTree } from './census.ts';
import { contractServer, productTest, ruleTest } from './contract-server.ts';
import type { SampleForms } from './sample-forms.ts';

let server: TestServer;
let headers: Record<string, string>;
let forms: SampleForms;

beforeAll(async () => {
  const contract = await contractServer();
  ({ server, headers } = contract);
  forms = await contract.forms();
});

/** Returns the path of each value that differs from the contract of the call, with the reason. */
const mismatchesOf = ({ reply }: Call, { data }: Reply): string[] =>
  Schema.Errors(reply as object, data)[1].map(({ instancePath, message }) => `data${instancePath} ${message}`);

const send = ({ method, path }: Call, input: Record<string, unknown>, as: Record<string, string> = headers): Promise<Reply> =>
  method === 'GET' ? server.get(path, { headers: as, query: input as Record<string, string> }) : server.post(path, input, { headers: as });

ruleTest('plugin-runs', 'every plugin of the manifest runs', () => {
  expect(server.host.skipped).toEqual([]);
  expect(server.host.running.map(({ id }) => id)).toEqual(plugins.map(({ plugin }) => plugin.id));
});

ruleTest('tenant-policy', 'row policies of tenant tables read the tenant once per statement, not per row', async () => {
  const policies = await server.sql("select tablename, qual from pg_policies where policyname = 'tenant'");
  expect(policies.length).toBeGreaterThan(20);
  expect(policies.filter(({ qual }) => !/\( SELECT current_setting\('app\.tenant'/.test(String(qual)))).toEqual([]);
});

ruleTest('menu-icon', 'every menu entry has an existing icon', () => {
  const entries = [...Object.values(menuGroups), ...plugins.flatMap(({ plugin }) => plugin.menus ?? [])];
  const unknown = entries.filter(({ icon = 'none' }) => !Object.hasOwn(menuIconPaths, icon)).map(({ code, icon }) => ({ code, icon }));
  expect(unknown, `icons: ${Object.keys(menuIconPaths).join(', ')}`).toEqual([]);
});

/** Screens without a change of several rows at once, because each row has an address and a secret of its own. */
const changedOneByOne: ReadonlySet<string> = new Set(['social-sign-in.identityProvider', 'social-sign-in.identityProviderGroup', 'webhooks.webhookEndpoint']);

const bulkFields = ({ bulkSubmit }: Crud) => (bulkSubmit.input.properties.values as unknown as { properties: object }).properties;

ruleTest(
  'generic-screen',
  'every generic screen adds, finds, shows, changes, removes and restores a row, changes several at once, and each reply matches its contract',
  async () => {
    for (const { name, crud } of census().cruds) {
      const expectReply = (verb: string, call: Call, reply: Reply) => {
        expect({ name, verb, code: reply.code, msg: reply.msg }).toMatchObject({ code: 200 });
        expect(mismatchesOf(call, reply), `${name}.${verb} answered ${JSON.stringify(reply.data)}`).toEqual([]);
        return reply.data;
      };
      const form = await forms.of(name, crud);
      const added = await forms.add(name, crud, headers, form);
      if (!added) continue;
      const { id } = expectReply('submit', crud.submit, added);
      const updated = await send(crud.submit, { ...form, id });
      expectReply('submit', crud.submit, updated);
      expectReply('list', crud.list, await send(crud.list, {}));
      expect(expectReply('detail', crud.detail, await send(crud.detail, { id }))).toMatchObject({ id });
      const removed = await send(crud.remove, { ids: [id] });
      expectReply('remove', crud.remove, removed);
      expect({ name, messages: [added.msg, updated.msg, removed.msg] }).toEqual({ name, messages: ['新增成功', '更新成功', '删除成功'] });
      expect(await send(crud.detail, { id })).toMatchObject({ code: 404 });
      expectReply('restore', crud.restore, await send(crud.restore, { ids: [id] }));
      expect(expectReply('detail', crud.detail, await send(crud.detail, { id }))).toMatchObject({ id });
      expect({ name, changesInBulk: 'bulkSubmit' in crud }).toEqual({ name, changesInBulk: !changedOneByOne.has(name) });
      if ('bulkSubmit' in crud) {
        const [field, value] = Object.entries(form).find(([known]) => known in bulkFields(crud)) as [string, unknown];
        expect(expectReply('bulkSubmit', crud.bulkSubmit, await send(crud.bulkSubmit, { ids: [id], values: { [field]: value } }))).toEqual({ count: 1 });
      }
      // BladeX-compatible clients use `id` or `ids`; only a region has its code as id.
      const again = await send(crud.remove, name === 'region.region' ? { ids: id } : { id }, { ...headers, 'accept-language': 'en' });
      expectReply('remove', crud.remove, again);
      expect({ name, message: again.msg }).toEqual({ name, message: 'Deleted' });
      expect({ name, code: (await send(crud.remove, {})).code }).toEqual({ name, code: 400 });
    }
  },
);

type FieldSchema = TSchema & { readonly type?: string | string[]; readonly enum?: unknown[]; readonly format?: string; readonly pattern?: string };

/** Returns the fields of a screen's form with their schemas. */
const formFieldsOf = ({ submit }: Crud) => Object.entries(submit.input.properties as Record<string, FieldSchema>);

/** Returns an edit that clears or changes one field of a row. */
function* editsOf(crud: Crud, row: Record<string, unknown>): Generator<[string, unknown]> {
  for (const [name, schema] of formFieldsOf(crud)) {
    if (name === 'id' || name === 'version' || !isTracked(name, crud.entity.fields[name]) || traitsOf(schema)?.immutable) continue;
    const types = [schema.type].flat();
    if (types.includes('null') && row[name] !== null && row[name] !== undefined && row[name] !== '') yield [name, null];
    else if (types.includes('integer') && typeof row[name] === 'number' && !schema.enum) yield [name, Number(row[name]) + 1];
    else if (types.includes('string') && typeof row[name] === 'string' && !schema.format && !schema.enum)
      yield [name, `${row[name]}${schema.pattern ? '1' : '改'}`];
  }
}

ruleTest(
  'record-history',
  'every generic screen with a history stores which fields a save changes, when it adds a row, changes it and removes it',
  async () => {
    for (const { name, crud } of census().cruds.filter(({ crud }) => crud.history)) {
      const form = await forms.of(name, crud);
      const added = await forms.add(name, crud, headers, form);
      if (!added) continue;
      const { id } = added.data;
      const before = (await send(crud.detail, { id })).data;
      let changed: [string, unknown] | undefined;
      for (const [field, value] of editsOf(crud, before)) {
        // Some screens do not change a field of certain rows.
        if ((await send(crud.submit, { id, [field]: value })).data?.[field] !== value) continue;
        changed = [field, value];
        break;
      }
      expect({ name, changed }).toMatchObject({ name, changed: expect.any(Array) });
      const [field, value] = changed as [string, unknown];
      await send(crud.remove, { ids: [id] });
      const history = crud.history as Call;
      // A plugin that reads its rows itself does not find a deleted one.
      const deleted = await send(history, { id });
      if (deleted.code !== 200) await send(crud.restore, { ids: [id] });
      const { data, code } = deleted.code === 200 ? deleted : await send(history, { id });
      expect({ name, code, isValid: Schema.Check(history.reply as object, data) }).toEqual({ name, code: 200, isValid: true });
      const entries = (data.records as HistoryEntry[]).filter(({ action }) => action !== 'restored');
      expect({ name, actions: entries.map(({ action }) => action) }).toEqual({ name, actions: ['deleted', 'updated', 'created'] });
      expect({ name, field, change: entries[1]?.fields[field] }).toEqual({ name, field, change: [before[field], value] });
      const entered = Object.keys(form).filter(
        (key) => isTracked(key, crud.entity.fields[key]) && !isEmpty(before[key]) && before[key] === (form as Values)[key],
      );
      expect({ name, created: Object.keys(entries[2]?.fields ?? {}) }).toMatchObject({ name, created: expect.arrayContaining(entered) });
      await send(crud.remove, { ids: [id] });
    }
  },
);

type Values = Readonly<Record<string, unknown>>;

/** Reads that need the id of an existing row; other tests cover them. */
const needsRow =
  /([/-]detail|[/]history|[/-]graph|tenant[/]holdings|workflow[/]runs|task[/]timeline|payment-run[/](shares|payees)|ledger[/]funds|identity-provider[/]addresses)$/;

ruleTest('read-reply', 'every read that needs no row is served, and its reply matches its contract', async () => {
  for (const { name, call } of census().calls.filter(({ call }) => call.method === 'GET' && !needsRow.test(call.path))) {
    const reply = await send(call, sample(call.input, { from: '2026-11-21 00:00:00', to: '2026-11-22 00:00:00', month: '2026-11' }));
    if (call.download) {
      expect({ name, status: reply.status, sent: reply.headers['content-disposition'] }).toMatchObject({
        status: 200,
        sent: expect.stringMatching(/^attachment/),
      });
      continue;
    }
    expect({ name, code: reply.code, msg: reply.msg }).toEqual({ name, code: 200, msg: reply.msg });
    expect(mismatchesOf(call, reply), `${name} answered ${JSON.stringify(reply.data)}`).toEqual([]);
  }
});

/** Returns the path of each null in a reply, by names. */
function nullsIn(value: unknown, path = 'data'): string[] {
  if (value === null) return [path];
  return typeof value === 'object' ? Object.entries(value as object).flatMap(([name, member]) => nullsIn(member, `${path}.${name}`)) : [];
}

ruleTest('bladex-client', 'a BladeX-compatible client gets no nulls from any read, and can send each row back unchanged', async () => {
  const client = { clientId: 'saber', clientSecret: 'Quiet-Harbour-71', authorizedGrantTypes: 'password', compatibility: 'bladex' };
  await server.post('/api/blade-system/client/submit', client, { headers });
  const basic = { authorization: `Basic ${btoa(`${client.clientId}:${client.clientSecret}`)}` };
  const token = await server.post('/api/blade-auth/token', { grantType: 'password', account: 'admin', password }, { headers: basic });
  const saber = { 'blade-auth': `bearer ${token.data.accessToken}` };
  const reads = census().calls.filter(
    ({ call }) => call.method === 'GET' && !call.download && !call.redirect && !(call.reply as { type?: unknown }).type?.toString().includes('null'),
  );
  let rows = 0;
  for (const { name, call } of reads) {
    const { data, code } = await send(call, sample(call.input, { from: '2026-11-21 00:00:00', to: '2026-11-22 00:00:00' }), saber);
    rows += (data?.records ?? [data]).length;
    if (code === 200) expect({ name, nulls: nullsIn(data).filter((path) => !/\.(packageId|datasourceId)$/.test(path)) }).toEqual({ name, nulls: [] });
  }
  expect(rows).toBeGreaterThanOrEqual(atLeast(100));
  for (const { name, crud } of census().cruds) {
    const added = await forms.add(name, crud, saber);
    if (!added) continue;
    const { data } = added;
    const row = (await send(crud.detail, { id: data.id }, saber)).data;
    const back = await send(crud.submit, row, saber);
    expect({ name, msg: back.msg }).toEqual({ name, msg: '更新成功' });
    expect({ name, code: (await send(crud.remove, { ids: [row.id] }, saber)).code }).toEqual({ name, code: 200 });
  }
});

ruleTest('session-required', 'every call that is not open refuses callers without a session', async () => {
  for (const { name, call } of census().calls.filter(({ call }) => call.access !== 'open')) {
    expect({ name, ...(await send(call, sample(call.input), {})) }).toMatchObject({ name, status: 401, code: 401 });
  }
});

ruleTest('permission-code', 'a user without any role is refused every call that needs a code, with any input', async () => {
  await server.createUser({ account: 'nobody', codes: [] });
  const withoutRole = await server.signIn('nobody');
  for (const { name, call } of census().calls.filter(({ call }) => typeof call.access === 'object')) {
    expect({ name, ...(await send(call, sample(call.input), withoutRole)) }).toMatchObject({ name, status: 403, code: 403 });
    expect({ name, ...(await send(call, {}, withoutRole)) }).toMatchObject({ name, status: 403 });
  }
});

ruleTest('permission-withdrawn', 'a role that is removed or emptied grants nothing from the next request on', async () => {
  const codes = [...new Set(census(() => true).calls.flatMap(({ call: { access: who } }) => (typeof who === 'object' ? Object.values(who) : [])))];
  const emptied = await server.createUser({ account: 'emptied', codes });
  const unassigned = await server.createUser({ account: 'unassigned', codes });
  const sessions = [await server.signIn('emptied'), await server.signIn('unassigned')];
  for (const session of sessions) expect(await server.get('/api/blade-system/post/list', { headers: session })).toMatchObject({ status: 200 });
  expect(await server.post('/api/oms-system/role/setrolemenus', { roleId: emptied.roleId, menuIds: [] }, { headers })).toMatchObject({ code: 200 });
  expect(await server.post('/api/blade-system/user/grant', { userIds: [unassigned.userId], roleIds: [] }, { headers })).toMatchObject({ code: 200 });
  for (const { name, call } of census().calls.filter(({ call }) => typeof call.access === 'object'))
    for (const session of sessions) expect({ name, ...(await send(call, sample(call.input), session)) }).toMatchObject({ name, status: 403, code: 403 });
});

ruleTest('platform-call', 'calls of the platform are refused to other tenants, even if their administrator was granted the code', async () => {
  const platformCodes = new Set(
    plugins.flatMap(({ plugin: { id, menus = [] } }) =>
      menus.flatMap(({ isPlatformOnly, code, buttons = [] }) =>
        isPlatformOnly && isChecked(id) ? [code, ...buttons.map((button) => (typeof button === 'string' ? `${code}_${button}` : button.code))] : [],
      ),
    ),
  );
  await server.createTenant('guests');
  await server.createUser({ account: 'guest', codes: [...platformCodes], roleAlias: 'admin', tenantId: 'guests' });
  const guest = await server.signIn('guest', 'guests');
  const guarded = census().calls.filter(({ call: { access: who } }) => typeof who === 'object' && Object.values(who).every((code) => platformCodes.has(code)));
  expect(guarded.length).toBeGreaterThanOrEqual(atLeast(20));
  for (const { name, call } of guarded) expect({ name, ...(await send(call, sample(call.input), guest)) }).toMatchObject({ name, status: 403, code: 403 });
});

ruleTest('platform-call', 'an administrator of another tenant changes no rows of the platform', async () => {
  const { cruds } = census();
  await server.createTenant('rivals');
  const menus = new Set(cruds.map(({ crud }) => crud.menu));
  const codes = [...menus].flatMap((menu) => [menu, ...['add', 'edit', 'delete', 'view'].map((verb) => `${menu}_${verb}`)]);
  await server.createUser({ account: 'rival', codes, roleAlias: 'admin', tenantId: 'rivals' });
  const rival = await server.signIn('rival', 'rivals');
  for (const { name, crud } of cruds.filter(({ crud: { entity } }) => entity.owner === 'platform')) {
    const form = await forms.of(name, crud);
    const added = await forms.add(name, crud, headers, form);
    if (!added) continue;
    const { id } = added.data;
    const replies = [await send(crud.submit, form, rival), await send(crud.submit, { ...form, id }, rival), await send(crud.remove, { ids: [id] }, rival)];
    expect({ name, codes: replies.map(({ code }) => code) }).toEqual({ name, codes: [403, 403, 403] });
    expect(await send(crud.remove, { ids: [id] })).toMatchObject({ code: 200 });
  }
});

ruleTest('unknown-id', 'an id that does not exist is not found, and an invalid id is a bad request', async () => {
  for (const { name, crud } of census().cruds) {
    expect({ name, ...(await send(crud.detail, { id: '999999999999999999' })) }).toMatchObject({ name, status: 404 });
    expect({ name, ...(await send(crud.detail, { id: "1' or '1'='1" })) }).toMatchObject({ name, status: 400 });
    expect({ name, ...(await send(crud.remove, { ids: ['999999999999999999'] })) }).toMatchObject({ name, status: 404 });
  }
});

ruleTest('removal-ids', 'every removal accepts ids as a list, as comma-separated text, and a single id', async () => {
  const removals = census().calls.filter(({ call: { method, path } }) => method === 'POST' && path.endsWith('/remove'));
  expect(removals.length).toBeGreaterThanOrEqual(atLeast(20));
  const absent = '999999999999999999';
  for (const { name, call } of removals) {
    const codes = [];
    for (const input of [{ ids: [absent] }, { ids: absent }, { id: absent }]) codes.push((await send(call, input)).code);
    const [code] = codes;
    expect({ name, codes }).toEqual({ name, codes: [code, code, code] });
    expect({ name, code }).not.toEqual({ name, code: 400 });
    expect({ name, code: (await send(call, {})).code }).toEqual({ name, code: 400 });
  }
});

ruleTest('table-columns', 'the tables that migrations create are the tables that contracts describe', async () => {
  const fieldCount = ({ row }: Entity) => Object.keys(row.properties).length;
  const all = censusOfTree().entities;
  for (const entity of census().entities) {
    // A contract can also describe some fields of a table that another one describes whole.
    const isPartial = all.some((other) => other.name === entity.name && fieldCount(other) > fieldCount(entity));
    expect({ entity: entity.name, differences: await compareTables(server.db, entity, { isPartial }) }).toEqual({ entity: entity.name, differences: [] });
  }
});

ruleTest('unique-code', 'permission codes and addresses are unique', () => {
  const { calls } = censusOfTree();
  const addresses = calls.map(({ call }) => `${call.method} ${call.path}`);
  expect(addresses.filter((address, index) => addresses.indexOf(address) !== index)).toEqual([]);
  const codes = menusOfTree().flatMap(({ code, buttons = [] }) => [
    code,
    ...buttons.map((button) => (typeof button === 'string' ? `${code}_${button}` : button.code)),
  ]);
  expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
  const guards = census(() => true).calls.flatMap(({ name, call: { access: who } }) =>
    typeof who === 'object' ? Object.values(who).map((code) => ({ name, code })) : [],
  );
  const undeclared = guards.filter(({ code }) => !codes.includes(code));
  const reasons = [...new Set(undeclared.map(({ code }) => code))].map((code) => {
    const names = undeclared.filter((guard) => guard.code === code).map(({ name }) => name);
    return `${code} guards ${names.join(', ')}, and no menu declares it: add it to the buttons, or leave the calls out with withoutCalls`;
  });
  expect(reasons).toEqual([]);
});

productTest('every administration call of BladeX-compatible clients is served', () => {
  expect(bladexCalls.flatMap(expandCalls).filter(({ method, url }) => !server.app.hasRoute({ method: method as 'GET', url }))).toEqual([]);
});
