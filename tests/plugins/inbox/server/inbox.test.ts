import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { sql } from 'drizzle-orm';
import { InboxChanged, type InboxEntry, inbox } from '#plugins/inbox/contract';
import { plugins } from '#plugins/plugins/contract';
import { defineServerPlugin, type Inbox, queryRows } from '#server';
import { LiveOpened } from '#shared/live';
import { seedSampleMessages } from '../../../../src/plugins/inbox/server/sample-messages.ts';
import { listen } from '../../../support/live-listener.ts';
import { openTestServer, type TestServer, testServer } from '../../../support/test-server.ts';

let server: TestServer;
let stored: Inbox;
let admin: Record<string, string>;
let keeper: Record<string, string>;
let keeperId: string;

/** A plugin that notifies users without a dependency on the inbox. */
const sender = defineServerPlugin({
  id: 'sender',
  title: ['通知者', 'Sender'],
  setup(context) {
    stored = context.inbox;
    return {};
  },
});

beforeAll(async () => {
  server = await openTestServer({ plugins: ['inbox', 'plugins', sender] });
  admin = await server.signIn();
  ({ userId: keeperId } = await server.createUser({ account: 'keeper' }));
  keeper = await server.signIn('keeper');
});
afterAll(() => server.stop());

const list = async (headers: Record<string, string>, query: Record<string, string>) =>
  (await server.get(inbox.list.path, { headers, query })).data as { entries: InboxEntry[]; hasMore: boolean };
const deliver = (title: string, change: object = {}) =>
  stored.deliver({ users: [keeperId], tenant: '000000', kind: 'message', title: [title, `${title} in English`], ...change });

test('the first administrator begins with samples of every kind and status, in their language', async () => {
  const first = await list(admin, { kind: 'notice' });
  expect(first).toMatchObject({ hasMore: true });
  expect(first.entries).toHaveLength(10);
  expect(first.entries[0]).toMatchObject({ kind: 'notice', title: '示例：状态「进行中」', status: 0, isRead: false });
  const rest = await list(admin, { kind: 'notice', before: first.entries.at(-1)?.id ?? '' });
  expect(rest.hasMore).toBe(false);
  expect(new Set([...first.entries, ...rest.entries].map(({ status }) => status))).toEqual(new Set([0, 1, 3, 4, null]));
  const english = await list({ ...admin, 'accept-language': 'en' }, { kind: 'message' });
  expect(english.entries.map(({ title }) => title)).toEqual(['Sample: Lock the screen when you leave', 'Sample: Welcome']);
  expect((await list(admin, { kind: 'mail' })).entries).toHaveLength(2);
  expect((await server.get(inbox.unread.path, { headers: admin })).data).toEqual({ mail: 2, message: 2, notice: 12 });
});

test('samples say that they are samples in both languages, and report nothing that would have happened', async () => {
  const rows = await server.db.asPlatform('a test reads samples', () =>
    queryRows<{ title: string[]; body: string[] }>(server.db, sql`select title, body from inbox_message where is_sample`),
  );
  expect(rows).toHaveLength(16);
  for (const { title } of rows) expect(title).toEqual([expect.stringMatching(/^示例：/), expect.stringMatching(/^Sample: /)]);
  const told = JSON.stringify(rows);
  expect(told).not.toMatch(/备份|结算|对账|金额|同步|广告主|backup|settle|amount|\d+%|已(生成|清理|导入)/i);
});

test('samples are removed together and at once, and nothing else with them', async () => {
  const { userId } = await server.createUser({ account: 'sampled' });
  const sampled = await server.signIn('sampled');
  await server.db.asPlatform('a test gives samples', () => seedSampleMessages(server.db, { userId, tenantId: '000000' }));
  await stored.deliver({ users: [userId], tenant: '000000', kind: 'notice', title: ['真的', 'Real'] });
  const listener = await listen(server, sampled);
  await listener.next(LiveOpened.name);
  expect((await list(sampled, { kind: 'notice' })).entries.map(({ isSample }) => isSample)).toEqual([false, ...Array(9).fill(true)]);
  expect(await server.post(inbox.removeSamples.path, {}, { headers: sampled })).toMatchObject({ code: 200 });
  await listener.next(InboxChanged.name);
  expect((await server.get(inbox.unread.path, { headers: sampled })).data).toEqual({ mail: 0, message: 0, notice: 1 });
  expect((await server.get(inbox.unread.path, { headers: admin })).data).toEqual({ mail: 2, message: 2, notice: 12 });
});

test('a delivery reaches only its reader, at once, and counts until it is read', async () => {
  const [reader, other] = await Promise.all([listen(server, keeper), listen(server, admin)]);
  for (const listener of [reader, other]) await listener.next(LiveOpened.name);
  await deliver('灯坏了', { status: 3, link: '/desk/lamp', body: ['三号厅', 'Hall 3'] });
  expect(await reader.next(InboxChanged.name)).toMatchObject({ payload: { kind: 'message' } });
  const { entries } = await list(keeper, { kind: 'message' });
  expect(entries).toMatchObject([{ title: '灯坏了', body: '三号厅', status: 3, link: '/desk/lamp', isRead: false }]);
  expect((await server.get(inbox.unread.path, { headers: keeper })).data).toEqual({ mail: 0, message: 1, notice: 0 });
  expect(await server.post(inbox.read.path, { ids: [entries[0]?.id] }, { headers: keeper })).toMatchObject({ code: 200 });
  await reader.next(InboxChanged.name);
  expect((await server.get(inbox.unread.path, { headers: keeper })).data).toEqual({ mail: 0, message: 0, notice: 0 });
  expect(other.heard.map(({ event }) => event)).toEqual([LiveOpened.name]);
});

test('a user reads and marks only their own messages, in every tenant', async () => {
  await deliver('私事');
  const [entry] = (await list(keeper, { kind: 'message' })).entries;
  await server.createTenant('rivals');
  await server.createUser({ account: 'rival', roleAlias: 'admin', tenantId: 'rivals' });
  for (const stranger of [admin, await server.signIn('rival', 'rivals')]) {
    expect(JSON.stringify(await list(stranger, { kind: 'message' }))).not.toContain('私事');
    await server.post(inbox.read.path, { ids: [entry?.id] }, { headers: stranger });
    await server.post(inbox.readAll.path, { kind: 'message' }, { headers: stranger });
  }
  expect((await list(keeper, { kind: 'message' })).entries[0]).toMatchObject({ title: '私事', isRead: false });
  expect(await server.get(inbox.list.path, { query: { kind: 'message' } })).toMatchObject({ status: 401 });
});

test('marking all reads one kind only', async () => {
  await deliver('信', { kind: 'mail' });
  await deliver('消息');
  await server.post(inbox.readAll.path, { kind: 'message' }, { headers: keeper });
  expect((await server.get(inbox.unread.path, { headers: keeper })).data).toEqual({ mail: 1, message: 0, notice: 0 });
});

test('a delivery within work that fails is undone', async () => {
  const before = (await list(keeper, { kind: 'notice' })).entries.length;
  await server.db
    .write({ tenantId: '000000' }, async () => {
      await stored.deliver({ users: [keeperId], kind: 'notice', title: ['未发生', 'Never was'] });
      throw new Error('changed my mind');
    })
    .catch(() => undefined);
  expect((await list(keeper, { kind: 'notice' })).entries).toHaveLength(before);
});

test('a kind, a size and a place that are none are refused', async () => {
  for (const query of [{ kind: 'gossip' }, { kind: 'mail', size: '1000' }, { kind: 'mail', before: "1' or 1=1" }])
    expect(await server.get(inbox.list.path, { headers: admin, query })).toMatchObject({ status: 400 });
});

test('where the inbox is disabled nothing is delivered, and its calls answer 404 by its name', async () => {
  const turn = (on: boolean) => server.post(plugins.setEnabled.path, { id: 'inbox', on, place: '*' }, { headers: admin });
  const before = (await list(keeper, { kind: 'mail' })).entries.length;
  expect(await turn(false)).toMatchObject({ code: 200 });
  await deliver('未送达', { kind: 'mail' });
  await stored.markRead({ user: keeperId, links: ['/desk/lamp'] });
  expect(await server.get(inbox.unread.path, { headers: keeper })).toMatchObject({ status: 404, msg: expect.stringContaining('通知中心') });
  expect(await turn(true)).toMatchObject({ code: 200 });
  await deliver('送达', { kind: 'mail' });
  expect((await list(keeper, { kind: 'mail' })).entries.map(({ title }) => title).slice(0, 1)).toEqual(['送达']);
  expect((await list(keeper, { kind: 'mail' })).entries).toHaveLength(before + 1);
});

const samplesIn = async ({ db }: TestServer) => {
  const [row] = await db.asPlatform('a test counts', () =>
    queryRows<{ count: number }>(db, sql`select count(*)::integer as count from inbox_message where is_sample`),
  );
  return row?.count;
};

test('a deployment that wants no sample notifications is given none, and loses those of an earlier start', async () => {
  const off = { SAMPLE_NOTIFICATIONS: 'off' };
  expect(await samplesIn(await testServer({ plugins: ['inbox'], environment: off }))).toBe(0);
  const first = await testServer({ plugins: ['inbox'] });
  expect(await samplesIn(first)).toBe(16);
  expect(await samplesIn(await testServer({ plugins: ['inbox'], db: first.db, environment: off }))).toBe(0);
});

test('a deployment that began before the inbox was a plugin keeps its notifications and is given no samples again', async () => {
  const earlier = await testServer();
  await earlier.sql(
    `insert into inbox_message (tenant_id, user_id, kind, title, body) select tenant_id, id, 'mail', '["旧", "Old"]', '["", ""]' from user_account`,
  );
  const later = await testServer({ plugins: ['inbox'], db: earlier.db });
  expect(await samplesIn(later)).toBe(0);
  const reply = await later.get(inbox.list.path, { headers: await later.signIn(), query: { kind: 'mail' } });
  expect(reply.data.entries).toMatchObject([{ title: '旧' }]);
});
