import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@rstest/core';
import yauzl from 'yauzl';
import { secretKeysOf } from '../../../../src/server/base/configuration/secret-key.ts';
import { Evidence } from '../../../../src/server/platform/evidence/evidence.ts';
import { openTaskOffice, type TaskOffice } from '../../../support/task-office.ts';
import { type Reply, testSecret } from '../../../support/test-server.ts';

const person = '/api/blade-system/person';
const canary = 'zuihongkanari';
const phone = '13755554321';
const otherPhone = '13766664321';

let office: TaskOffice;
let worker: { userId: string; headers: Record<string, string> };
let officer: Record<string, string>;
let admin: Record<string, string>;
let evidence: Evidence;

const sql = (statement: string) => office.server.sql(statement);
const isOk = (reply: Reply) => {
  expect(reply.code, reply.msg).toBe(200);
  return reply.data;
};

/** Reads a text of a ZIP archive. */
async function entryOf(archive: Buffer, name: string): Promise<string> {
  const zip = await yauzl.fromBufferPromise(archive);
  for await (const entry of zip.eachEntry()) if (entry.fileName === name) return text(await zip.openReadStreamPromise(entry));
  return '';
}

/** Gives a worker rows in many plugins. */
async function fill(userId: string, name: string, number: string): Promise<void> {
  await sql(`update user_account set real_name = '${name}', name = '${name}', phone = '${number}', email = '${name}@example.com' where id = ${userId}`);
  await sql(`insert into sms_delivery (tenant_id, phone, sms_code, category, purpose, outcome) values ('000000', '${number}', 'x', 'x', 'notice', 1)`);
  await sql(
    `insert into email_message (tenant_id, user_id, recipient, address, kind, subject, state, attempts) values ('000000', ${userId}, '${name}', '${name}@example.com', 'k', 's', 2, 1)`,
  );
  await sql(
    `insert into registration (tenant_id, account, name, source, phone, email, user_id) values ('000000', '${name}', '${name}', 'form', '${number}', '${name}@example.com', ${userId})`,
  );
  await sql(
    `insert into inbox_message (tenant_id, user_id, kind, title, body) values ('000000', ${userId}, 'message', '["${name}","${name}"]', '["${name}","${name}"]')`,
  );
  await sql(`insert into payee (tenant_id, user_id, nick_name, name, state, reveals) values ('000000', ${userId}, '${name}', '${name}', 0, 0)`);
}

beforeAll(async () => {
  office = await openTaskOffice({ plugins: ['access', 'transfers', 'log', 'notice', 'registration', 'sms', 'email', 'payment', 'payee', 'privacy'] });
  worker = await office.createMember('worker');
  await sql(`update user_account set account = '${canary}' where id = ${worker.userId}`);
  const other = await office.createMember('bystander');
  const codes = ['user', 'person', 'person_export', 'person_erase', 'log_personal', 'task_record'];
  await office.server.createUser({ account: 'officer', codes });
  officer = await office.server.signIn('officer');
  admin = office.admin;
  const taskId = await office.publishTask({ quantity: 5 });
  await fill(worker.userId, canary, phone);
  await fill(other.userId, 'bystander', otherPhone);
  await office.submitProof(taskId, worker.headers);
  await office.submitProof(taskId, other.headers);
  evidence = new Evidence({ db: office.server.db, keys: secretKeysOf(testSecret).evidence, tables: () => [], marginMs: 0 });
  await sql(`update task_submission set nick_name = '${canary}', phone = '${phone}', content = '${canary}' where user_id = ${worker.userId}`);
});
afterAll(() => office.server.stop());

test('a person is found with what an erasure would do, and no one without the permission finds them', async () => {
  await office.server.createUser({ account: 'nobody', codes: ['user'] });
  expect((await office.post(`${person}/plan`, { account: canary }, await office.server.signIn('nobody'))).code).toBe(403);
  expect((await office.post(`${person}/plan`, { account: 'unknown' }, officer)).code).toBe(404);
  expect((await office.post(`${person}/plan`, {}, officer)).code).toBe(400);
  // Someone with fewer permissions than the person does not manage them.
  expect((await office.post(`${person}/plan`, { account: 'admin' }, officer)).code).toBe(403);
  const report = isOk(await office.post(`${person}/plan`, { account: canary }, admin));
  expect(report.person).toMatchObject({ account: canary, name: canary, phones: ['137****4321'] });
  const plugins = new Set(report.records.map((row: { plugin: string }) => row.plugin));
  for (const plugin of ['organization', 'task', 'payee', 'sms', 'email', 'registration', 'kernel']) expect([...plugins]).toContain(plugin);
  expect(report.records.filter(({ kept, reason }: { kept: number; reason: unknown }) => kept > 0 && !reason)).toEqual([]);
});

test('an export has the rows of all plugins and nothing of another person', async () => {
  const { link } = isOk(await office.post(`${person}/export`, { account: canary }, admin));
  const { rawPayload } = await office.server.app.inject({ url: link });
  const json = await entryOf(rawPayload, 'person.json');
  const document = JSON.parse(json) as { records: { plugin: string; table: string; rows: object[] }[] };
  const plugins = new Set(document.records.map(({ plugin }) => plugin));
  expect(plugins.size).toBeGreaterThanOrEqual(6);
  for (const table of ['user_account', 'task_submission', 'payee', 'sms_delivery', 'email_message', 'registration', 'inbox_message'])
    expect(document.records.map((one) => one.table)).toContain(table);
  expect(json).toContain(phone);
  for (const foreign of ['bystander', otherPhone, 'password_hash']) expect(json).not.toContain(foreign);
  const [line] = isOk(await office.get('/api/blade-log/personal/list', {}, officer)).records;
  expect(line).toMatchObject({ action: 'person-exported', entity: '个人数据', recordId: worker.userId, userName: expect.any(String) });
});

test('an erasure requires the name, refuses administrators and the caller, and leaves the person in the excepted tables only', async () => {
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(await evidence.seal()).toBeGreaterThan(0);
  const wrong = await office.post(`${person}/erase`, { account: canary, confirmation: 'someone else' }, admin);
  expect(wrong.code).toBe(400);
  expect((await office.post(`${person}/erase`, { account: 'officer', confirmation: 'officer' }, officer)).code).toBe(403);
  expect((await office.post(`${person}/erase`, { account: 'admin', confirmation: '管理员' }, office.admin)).code).toBe(403);
  const report = isOk(await office.post(`${person}/erase`, { account: canary, confirmation: canary }, admin));
  expect(report.records.find(({ plugin }: { plugin: string }) => plugin === 'organization')).toMatchObject({ erased: 1 });
  expect((await office.get('/api/blade-system/user/info', {}, worker.headers)).code).toBe(401);
  const tables = await sql(
    `select c.relname as name from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and not c.relname ~ '^(api_log|login_log|record_change|personal_access|error_log|usual_log)' order by 1`,
  );
  const left: string[] = [];
  for (const { name } of tables)
    if ((await sql(`select 1 from ${name} t where to_jsonb(t)::text ~ '${canary}|${phone}' limit 1`)).length > 0) left.push(String(name));
  expect(left).toEqual([]);
  // The other person has everything still.
  expect((await sql(`select real_name, phone from user_account where phone = '${otherPhone}'`))[0]).toEqual({ real_name: 'bystander', phone: otherPhone });
  expect((await sql(`select 1 from sms_delivery where phone = '${otherPhone}'`)).length).toBe(1);
});

test('an erasure can be repeated, and the sealed logs stay verifiable', async () => {
  const plan = await office.post(`${person}/plan`, { phone }, admin);
  expect(isOk(plan).records.filter(({ erased }: { erased: number }) => erased > 0)).toEqual([]);
  const verified = await evidence.verify({});
  expect(verified.rows).toBeGreaterThan(0);
  expect(verified.differences).toEqual([]);
});
