import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { refusedDays } from '../../../../src/plugins/registration/contract.ts';
import type { ServerPlugin } from '../../../../src/server/host/plugin-host/plugin.ts';
import { Processors } from '../../../../src/server/platform/jobs/processors.ts';
import { openTaskOffice, type TaskOffice } from '../../../support/task-office.ts';

let office: TaskOffice;
let jobs: Processors | undefined;
let member: { userId: string; headers: Record<string, string> };

const sql = (statement: string) => office.server.sql(statement);

beforeAll(async () => {
  const setup: ServerPlugin['setup'] = ({ get }) => {
    jobs = get(Processors);
    return {};
  };
  const probe = { id: 'probe', title: ['探针', 'Probe'] as const, setup };
  office = await openTaskOffice({ plugins: ['settings', 'transfers', 'registration', 'privacy', probe] });
  member = await office.createMember('member');
});
afterAll(() => office.server.stop());

/** Runs the retention job and returns its result and the lines of its log. */
async function runJob(): Promise<{ count: unknown; lines: string[] }> {
  const lines: string[] = [];
  const context = { params: '', signal: new AbortController().signal, log: (_: string, text: string) => void lines.push(text) };
  const count = await jobs?.of('privacy:retention')?.run(context as never);
  return { count, lines };
}

/** Adds a registration that was decided some days ago. */
async function addRegistration(account: string, decision: number, daysAgo: number): Promise<void> {
  await sql(
    `insert into registration (tenant_id, account, name, source, phone, user_id, decision, reason, decided_at)
     values ('000000', '${account}', '${account}', 'form', '13700000000', ${member.userId}, ${decision}, 'no place', now() - interval '${daysAgo} days')`,
  );
}
const registrations = () => sql('select account, name, phone, reason from registration order by id');

test('rejected registrations are erased after the days of their parameter; approved or recent ones stay', async () => {
  await addRegistration('long-refused', 2, 366);
  await addRegistration('lately-refused', 2, 364);
  await addRegistration('long-approved', 1, 900);
  const [{ id } = {}] = await sql(`select id::text as id from registration where account = 'long-refused'`);
  expect(await runJob()).toEqual({ count: '1', lines: ['000000: registration: 1'] });
  expect(await registrations()).toEqual([
    { account: `erased-${id}`, name: '已删除', phone: null, reason: null },
    { account: 'lately-refused', name: 'lately-refused', phone: '13700000000', reason: 'no place' },
    { account: 'long-approved', name: 'long-approved', phone: '13700000000', reason: 'no place' },
  ]);
  expect(await runJob()).toEqual({ count: '0', lines: [] });
});

test('each tenant sets its own number of days', async () => {
  await office.server.createTenant('retain');
  const addRejected = (account: string) =>
    sql(
      `insert into registration (tenant_id, account, name, source, user_id, decision, decided_at)
       values ('retain', '${account}', '${account}', 'form', 1, 2, now() - interval '400 days')`,
    );
  await addRejected('elsewhere');
  await sql(`insert into param (param_name, param_key, param_value) values ('days', '${refusedDays.key}.retain', '401')`);
  expect(await runJob()).toEqual({ count: '0', lines: [] });
  await sql(`update param set param_value = '399' where param_key = '${refusedDays.key}.retain'`);
  expect(await runJob()).toEqual({ count: '1', lines: ['retain: registration: 1'] });
});

test('users are erased some time after their deletion, and never without it', async () => {
  const { userId } = await office.server.createUser({ account: 'former' });
  await sql(`update user_account set phone = '13711112222', update_time = now() - interval '400 days' where id in (${userId}, ${member.userId})`);
  expect((await runJob()).count).toBe('0');
  await sql(`update user_account set is_deleted = 1 where id = ${userId}`);
  expect((await runJob()).lines).toEqual(['000000: user_account: 1']);
  expect(await sql(`select account, phone, is_deleted from user_account where id = ${userId}`)).toEqual([
    { account: `erased-${userId}`, phone: null, is_deleted: 1 },
  ]);
  expect((await runJob()).count).toBe('0');
});

test('proofs of rejected submissions are erased, and those that were paid stay', async () => {
  const taskId = await office.publishTask({ quantity: 5 });
  const proofs = [await office.submitProof(taskId, member.headers), await office.submitProof(taskId, (await office.createMember('other')).headers)];
  await sql(
    `update task_submission set audit_status = 2, audit_time = now() - interval '400 days', content = 'what was done', link = 'https://example.com' where id in (${proofs})`,
  );
  await sql(`update task_submission set pay_status = 2, pay_no = 'P1' where id = ${proofs[1]}`);
  expect((await runJob()).lines).toEqual(['000000: task_submission: 1']);
  const stored = await sql(`select content, link from task_submission where id in (${proofs}) order by id`);
  expect(stored).toEqual([
    { content: null, link: null },
    { content: 'what was done', link: 'https://example.com' },
  ]);
});

test('all rows are erased even if they are more than one transaction erases', async () => {
  await sql(
    `insert into registration (tenant_id, account, name, source, user_id, decision, decided_at)
     select '000000', 'many-' || n, 'many', 'form', 1, 2, now() - interval '500 days' from generate_series(1, 1100) n`,
  );
  expect((await runJob()).count).toBe('1100');
  expect(await sql(`select 1 from registration where name = 'many'`)).toEqual([]);
});
