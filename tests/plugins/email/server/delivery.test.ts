import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@rstest/core';
import { securityModes } from '#plugins/email/contract';
import { defineServerPlugin, type Mail } from '#server';
import { exim, type MailServer, openMailServer, type ReceivedMail } from '../../../support/mail-server.ts';
import { pausedEmail } from '../../../support/paused-email.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

if (!exim) process.stdout.write('Exim was not found: tests that send e-mail are skipped. Install exim4-daemon-light.\n');

const path = '/api/blade-resource/email';
const environment = { EGRESS_ALLOW: '127.0.0.1,localhost' };
const patient = { answerMs: 12_000, totalMs: 20_000 };
const timeouts = { ...patient };
let server: TestServer;
let replica: TestServer;
let mailServer: MailServer;
let mail: Mail;
let admin: Record<string, string>;
let adminId: string;
const first = pausedEmail(timeouts);
const second = pausedEmail(timeouts);

/** A plugin that sends e-mail without a dependency on it. */
const sender = defineServerPlugin({
  id: 'sender',
  title: ['通知者', 'Sender'],
  mailKinds: [
    {
      code: 'sender:news',
      use: 'optional',
      title: ['新闻', 'News'],
      subject: ['新闻：{title}', 'News: {title}'],
      body: [
        ['你好，{name}', 'Hello {name}'],
        ['{extra}', '{extra}'],
      ],
      action: ['打开', 'Open'],
      sample: { title: 'sample', name: 'sample' },
    },
    {
      code: 'sender:topic',
      use: 'notification',
      title: ['话题', 'Topic'],
      subject: ['{title}', '{title}'],
      body: [['{body}', '{body}']],
      sample: { title: 'sample', body: 'sample' },
    },
  ],
  setup(context) {
    mail ??= context.mail;
    inbox ??= context.inbox;
    return {};
  },
});
let inbox: import('#server').Inbox;

beforeAll(async () => {
  server = await openTestServer({ plugins: ['inbox', sender, first.installed], environment });
  replica = await openTestServer({ plugins: ['inbox', sender, second.installed], environment, db: server.db });
  admin = await server.signIn();
  await server.sql(`update user_account set email = 'boss@mail.test', real_name = '管理员' where account = 'admin'`);
  adminId = String((await server.sql(`select id::text as id from user_account where account = 'admin'`))[0]?.id);
});
afterAll(async () => {
  await replica.stop();
  await server.stop();
});

const settings = (change: object = {}) => ({
  host: 'localhost',
  port: mailServer.port,
  security: securityModes.none,
  senderName: '灯塔 Console',
  senderAddress: 'console@mail.test',
  consoleUrl: 'https://console.example.com/',
  ...change,
});
const save = async (change: object = {}) => {
  await server.sql('delete from email_server');
  const reply = await server.post(`${path}/submit`, settings(change), { headers: admin });
  expect({ code: reply.code, msg: reply.msg }).toMatchObject({ code: 200 });
};
const sendTest = async (to?: string) => (await server.post(`${path}/test`, to ? { to } : {}, { headers: admin })).data;
const queue = (data: object = {}, more: object = {}) =>
  mail.send({ kind: 'sender:news', to: [adminId], tenant: '000000', data: { title: 'T', name: 'N', ...data }, ...more });
const rows = () =>
  server.sql(
    'select id::text as id, address, subject, state, failure, answer, attempts, due_at > now() as later, content is not null as stored from email_message order by id',
  );
/** Sends what is due, and returns when nothing is being sent, or what is due waits for the limit. */
async function send(index = 0): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    await [first, second][index]?.run.send();
    const [row] = await server.sql(
      `select count(*) filter (where state = 1 and attempted_at > now() - interval '20 seconds')::integer as sending, count(*) filter (where state = 0 and due_at <= now())::integer as due from email_message`,
    );
    if (row?.sending === 0 && (row.due === 0 || tries > 20)) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
const html = ({ parts }: ReceivedMail) => parts.find(({ type }) => type.startsWith('text/html'))?.text ?? '';
const text = ({ parts }: ReceivedMail) => parts.find(({ type }) => type.startsWith('text/plain'))?.text ?? '';
const header = ({ headers }: ReceivedMail, name: string) => headers.get(name)?.[0];

describe.skipIf(!exim)('on a real mail server', () => {
  beforeAll(async () => {
    mailServer = await openMailServer();
  });
  afterAll(() => mailServer?.stop());
  beforeEach(async () => {
    await server.sql('delete from email_message');
    await server.sql(`delete from user_preference`);
  });

  test('a test e-mail arrives in the language of its sender, and the log says what the server answered', async () => {
    const before = mailServer.messages().length;
    await save();
    expect(await sendTest()).toMatchObject({ isSent: true, address: 'boss@mail.test', failure: null, answer: expect.stringMatching(/^250 /) });
    const [message] = (await mailServer.received(before + 1)).slice(before);
    expect(message && header(message, 'subject')).toBe('测试邮件');
    expect(message && header(message, 'from')).toBe('灯塔 Console <console@mail.test>');
    expect(message && header(message, 'to')).toBe('管理员 <boss@mail.test>');
    expect(message && header(message, 'auto-submitted')).toBe('auto-generated');
    expect(message && text(message)).toContain('收到此邮件');
    expect(message && html(message)).toContain('href="https://console.example.com/"');
    const { data } = await server.get(`${path}/message/list`, { headers: admin });
    expect(data.records).toMatchObject([{ kind: '测试邮件', state: 2, attempts: 1, address: 'b***@mail.test' }]);
    expect(await server.sql('select address from email_message')).toEqual([{ address: 'boss@mail.test' }]);
  });

  test('STARTTLS and TLS work with the certificate of the server, and are refused without it', async () => {
    const before = mailServer.messages().length;
    for (const way of [{ security: securityModes.startTls }, { security: securityModes.tls, port: mailServer.tlsPort }]) {
      await save({ ...way, caCertificate: mailServer.certificate });
      expect(await sendTest()).toMatchObject({ isSent: true });
      await save(way);
      expect(await sendTest()).toMatchObject({ isSent: false, failure: 'tls', answer: expect.stringMatching(/self.signed certificate/) });
    }
    expect(await mailServer.received(before + 2)).toHaveLength(before + 2);
  });

  test('the password is sealed, is never answered, signs in over TLS, and a wrong one is named', async () => {
    const { username, password } = mailServer.user;
    const secure = { security: securityModes.startTls, caCertificate: mailServer.certificate };
    await save({ ...secure, username, password });
    expect(await sendTest('signedin@mail.test')).toMatchObject({ isSent: true });
    const [row] = await server.sql('select password from email_server where is_deleted = 0');
    expect(row?.password).toMatch(/^sealed:/);
    expect(JSON.stringify((await server.get(`${path}/detail`, { headers: admin })).body)).not.toContain(password);
    await save({ ...secure, username, password: 'wrong' });
    expect(await sendTest()).toMatchObject({ isSent: false, failure: 'auth', answer: expect.stringMatching(/^535 /) });
    await save(secure);
    expect(await sendTest('signedin@mail.test')).toMatchObject({ isSent: false, failure: 'auth', answer: expect.stringMatching(/530 5\.7\.0/) });
  });

  test('a stored password is not sent to another server', async () => {
    const { username, password } = mailServer.user;
    await save({ username, password });
    const moved = await server.post(`${path}/submit`, settings({ username, host: '127.0.0.1' }), { headers: admin });
    expect(moved).toMatchObject({ status: 400, msg: '更换服务器或用户名时须重新填写密码' });
    expect(await server.post(`${path}/submit`, settings({ username, senderName: 'Other' }), { headers: admin })).toMatchObject({ code: 200 });
  });

  test('internal addresses are refused unless the deployment allows them', async () => {
    const refused = await server.post(`${path}/submit`, settings({ host: '10.0.0.1' }), { headers: { ...admin, 'accept-language': 'en' } });
    expect(refused).toMatchObject({ status: 400, msg: expect.stringContaining('EGRESS_ALLOW') });
  });

  test('a queued e-mail is sent once by two servers, and its content is deleted', async () => {
    const before = mailServer.messages().length;
    await save();
    for (let index = 0; index < 12; index += 1) expect(await queue({ title: `${index}` })).toEqual([adminId]);
    expect((await rows()).every(({ stored }) => stored)).toBe(true);
    await Promise.all([send(0), send(1)]);
    await Promise.all([send(0), send(1)]);
    const messages = (await mailServer.received(before + 12)).slice(before);
    expect(new Set(messages.map((one) => header(one, 'subject'))).size).toBe(12);
    expect(messages).toHaveLength(12);
    expect((await rows()).every(({ state, stored }) => state === 2 && !stored)).toBe(true);
  });

  test('values are escaped, and a value cannot add a header, a recipient or a paragraph without content', async () => {
    const before = mailServer.messages().length;
    await save({ senderName: '“Q” <x>\\' });
    await server.sql(`update user_account set real_name = E'Eve\\r\\nBcc: spy@mail.test' where account = 'admin'`);
    await queue({ title: 'Hi\r\nBcc: spy@mail.test\r\n\r\nbody', name: '<script>alert(1)</script>', extra: '' }, { link: '/desk/notice/index?id=1&x="' });
    await send();
    const [message] = (await mailServer.received(before + 1)).slice(before);
    expect(message?.headers.has('bcc')).toBe(false);
    expect(message?.recipients).toEqual(['boss@mail.test']);
    expect(message && header(message, 'subject')).toBe('新闻：Hi Bcc: spy@mail.test body');
    expect(message && html(message)).toContain('你好，&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(message && html(message)).toContain('href="https://console.example.com/desk/notice/index?id=1&amp;x=%22"');
    expect(message && html(message).match(/<p /g)).toHaveLength(2);
    await server.sql(`update user_account set real_name = '管理员' where account = 'admin'`);
  });

  test('a refused recipient is not tried again, a temporary refusal is, and then arrives', async () => {
    const before = mailServer.messages().length;
    await save();
    await server.sql(`update user_account set email = 'nobody@mail.test' where account = 'admin'`);
    await queue({ title: 'refused' });
    await server.sql(`update user_account set email = 'later@mail.test' where account = 'admin'`);
    await queue({ title: 'later' });
    await server.sql(`update user_account set email = 'boss@mail.test' where account = 'admin'`);
    await queue({ title: 'spam' });
    await send();
    expect(await rows()).toMatchObject([
      { state: 3, failure: 'recipient', answer: '550 5.1.1 No such user here', attempts: 1, stored: true },
      { state: 0, failure: 'temporary', answer: '451 4.7.1 Greylisted, try again later', attempts: 1, later: true },
      { state: 3, failure: 'rejected', answer: '554 5.7.1 Looks like spam', attempts: 1 },
    ]);
    await send();
    expect((await rows())[1]).toMatchObject({ attempts: 1 });
    mailServer.acceptLater();
    await server.sql("update email_message set due_at = now() - interval '1 second' where state = 0");
    await send();
    expect((await rows())[1]).toMatchObject({ state: 2, attempts: 2, failure: null });
    expect(await mailServer.received(before + 1)).toHaveLength(before + 1);
    const [failed] = await rows();
    expect(await server.post(`${path}/message/retry`, { ids: [failed?.id] }, { headers: admin })).toMatchObject({ code: 200 });
    expect((await rows())[0]).toMatchObject({ state: 0, attempts: 0 });
    const [, sent] = await rows();
    expect(await server.post(`${path}/message/retry`, { ids: [sent?.id] }, { headers: admin })).toMatchObject({ status: 409 });
  });

  test('an e-mail whose server died is sent by another after the lease, with the same Message-ID', async () => {
    const before = mailServer.messages().length;
    await save();
    await queue({ title: 'lease' });
    await server.sql(`update email_message set state = 1, attempts = 1, attempted_at = now() - interval '2 minutes', due_at = now() + interval '1 minute'`);
    await send(1);
    expect(mailServer.messages()).toHaveLength(before);
    await server.sql(`update email_message set due_at = now() - interval '1 second'`);
    await send(1);
    const [message] = (await mailServer.received(before + 1)).slice(before);
    const [row] = await rows();
    expect(row).toMatchObject({ state: 2, attempts: 2 });
    expect(message && header(message, 'message-id')).toBe(`<${row?.id}@mail.test>`);
  });

  test('no more e-mails leave per minute than the tenant allows', async () => {
    await save({ perMinute: 3 });
    for (let index = 0; index < 5; index += 1) await queue({ title: `${index}` });
    await Promise.all([send(0), send(1)]);
    await send();
    expect((await rows()).map(({ state, failure }) => failure ?? state).sort()).toEqual([0, 0, 2, 2, 2]);
    await server.sql(`update email_message set attempted_at = now() - interval '2 minutes'`);
    await send();
    expect((await rows()).map(({ state, failure }) => failure ?? state)).toEqual([2, 2, 2, 2, 2]);
  });

  test('a server that is down or silent leaves the e-mail in the queue', async () => {
    Object.assign(timeouts, { answerMs: 1000 });
    const silent: Server = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as { port: number };
    await save({ port });
    await queue();
    await send();
    expect(await rows()).toMatchObject([{ state: 0, failure: 'timeout', later: true, stored: true }]);
    expect(await sendTest()).toMatchObject({ isSent: false, failure: 'timeout' });
    Object.assign(timeouts, patient);
    silent.close();
    await save({ port });
    await server.sql("update email_message set due_at = now() - interval '1 second' where state = 0");
    await send();
    expect((await rows())[0]).toMatchObject({ state: 0, failure: 'refused', attempts: 2, answer: expect.stringContaining('ECONNREFUSED') });
    await save({ host: 'no-such-host.invalid' });
    expect(await sendTest()).toMatchObject({ isSent: false, failure: 'unreachable' });
  });

  test('users choose their language and what they get; a key is queued once; nothing is queued while sending is off', async () => {
    await save();
    const choose = (key: string, value: object | string) =>
      server.sql(
        `insert into user_preference (tenant_id, user_id, key, version, value) values ('000000', ${adminId}, '${key}', 1, '${JSON.stringify(value)}') on conflict (tenant_id, user_id, key) do update set value = excluded.value`,
      );
    await choose('language', 'en');
    expect(await queue({ title: ['你', 'you'] }, { key: 'k' })).toEqual([adminId]);
    expect(await queue({}, { key: 'k' })).toEqual([]);
    expect((await rows()).map(({ subject }) => subject)).toEqual(['News: you']);
    await choose('notifications', { 'sender:news': { mail: false }, 'sender:topic': { inbox: false } });
    expect(await queue()).toEqual([]);
    await server.sql('delete from inbox_message');
    await inbox.deliver({ users: [adminId], tenant: '000000', kind: 'message', topic: 'sender:topic', title: ['甲', 'A'], body: ['乙', 'B'] });
    expect(await server.sql('select 1 from inbox_message')).toEqual([]);
    expect((await rows()).map(({ subject }) => subject)).toEqual(['News: you', 'A']);
    await choose('notifications', { 'sender:topic': { mail: false } });
    await inbox.deliver({ users: [adminId], tenant: '000000', kind: 'message', topic: 'sender:topic', title: ['甲', 'A'] });
    expect(await server.sql('select 1 from inbox_message')).toHaveLength(1);
    await save({ isEnabled: false });
    await server.sql('delete from user_preference');
    expect(await queue()).toEqual([]);
  });

  test('users without an address, disabled ones and those of other tenants get nothing', async () => {
    await save();
    const { userId } = await server.createUser({ account: 'no-address' });
    expect(await queue({}, { to: [userId] })).toEqual([]);
    await server.sql(`update user_account set email = 'x@mail.test', status = 2 where id = ${userId}`);
    expect(await queue({}, { to: [userId] })).toEqual([]);
    await server.createTenant('200002');
    const other = await server.createUser({ account: 'elsewhere', tenantId: '200002' });
    await server.sql(`update user_account set email = 'x@mail.test' where id = ${other.userId}`);
    expect(await queue({}, { to: [other.userId] })).toEqual([]);
    expect(await queue({}, { to: [other.userId], tenant: '200002' })).toEqual([]);
    expect(await rows()).toEqual([]);
  });

  test('addresses are masked, and one is shown with the permission', async () => {
    await save();
    await queue();
    await server.createUser({ account: 'log-reader', codes: ['email_message'] });
    const { data } = await server.get(`${path}/message/list`, { headers: await server.signIn('log-reader') });
    expect(data.records).toMatchObject([{ address: 'b***@mail.test', kind: '新闻' }]);
    const show = (headers: Record<string, string>) =>
      server.post('/api/blade-system/personal/show', { entity: 'email_message', id: data.records[0].id }, { headers });
    expect((await show(await server.signIn('log-reader'))).status).toBe(403);
    await server.createUser({ account: 'address-reader', codes: ['email_message', 'email_message_address'] });
    expect((await show(await server.signIn('address-reader'))).data.values).toEqual({ address: 'boss@mail.test' });
  });
});
