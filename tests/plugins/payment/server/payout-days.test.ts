import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { paymentWith, ScriptedGateway } from '../../../support/scripted-gateway.ts';
import { openTaskOffice, type TaskOffice } from '../../../support/task-office.ts';

let office: TaskOffice;

beforeAll(async () => {
  office = await openTaskOffice({ plugins: [paymentWith({ gateway: new ScriptedGateway() })], timeScale: 0.001 });
});
afterAll(() => office.server.stop());

/** Returns the stored sums by day and those of the payouts. */
const days = async () => {
  const columns = 'day::text as day, task_id::text as "taskId", paid::integer as paid, amount::integer as amount';
  const stored = await office.server.sql(`select ${columns} from payout_day where paid <> 0 or amount <> 0 order by 1, 2`);
  const added = await office.server.sql(
    `select ${columns} from (select paid_time::date as day, task_id, count(*) as paid, sum(amount) as amount from payout
     where state = 2 and paid_time is not null and is_deleted = 0 group by 1, 2) paid_payouts order by 1, 2`,
  );
  return { stored, added };
};

test('the sums by day follow payouts that are added, changed and deleted, one by one and many at once', async () => {
  const { sql } = office.server;
  for (const quantity of [3, 4]) {
    const { id } = await office.addTask({ quantity });
    await sql(`insert into task_submission (tenant_id, task_id, task_title, user_id, nick_name, deadline, amount)
      select '000000', ${id}, '拍', n, '小王', now(), 100 * n from generate_series(1, ${quantity}) n`);
  }
  const follows = async (what: string, statement: string, paid: number) => {
    await sql(statement);
    const { stored, added } = await days();
    expect(stored, what).toEqual(added);
    expect(
      stored.reduce((sum, one) => sum + Number(one.paid), 0),
      what,
    ).toBe(paid);
  };
  const insert = (state: number) =>
    `insert into payout (tenant_id, batch_no, submission_id, task_id, task_title, advertiser_id, user_id, nick_name, openid, amount, state, gateway, requester_name, paid_time)
     select '000000', 'B', id, task_id, task_title, advertiser_id, user_id, nick_name, 'o', amount, ${state}, 'manual', '财务', case ${state} when 2 then now() - make_interval(days => user_id::integer) end
     from task_submission s where not exists (select from payout p where p.submission_id = s.id)`;
  await follows('in process', `${insert(1)} and user_id < 3`, 0);
  await follows('added as paid', insert(2), 3);
  await follows('paid', 'update payout set state = 2, paid_time = now() where state = 1', 7);
  await follows('another day', "update payout set paid_time = paid_time - interval '40 days' where user_id = 3", 7);
  await follows('untouched', "update payout set note = '无'", 7);
  await follows('reversed', 'update payout set state = 5 where user_id = 1', 5);
  await follows('deleted softly', 'update payout set is_deleted = 1 where user_id = 2', 3);
  await follows('deleted', 'delete from payout where user_id = 3', 1);
  await follows('all deleted', 'delete from payout', 0);
});
