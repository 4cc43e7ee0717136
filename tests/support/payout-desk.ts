import { expect } from '@rstest/core';
import { accountKinds, PayeeAccounts } from '#plugins/payment/contract';
import { defineServerPlugin, filterHandler, type ServerContext } from '#server';
import { Dispatcher } from '../../src/plugins/payment/server/dispatcher.ts';
import { Gateways } from '../../src/plugins/payment/server/gateways.ts';
import { Ledger } from '../../src/plugins/payment/server/ledger.ts';
import { Settlement } from '../../src/plugins/payment/server/settlement.ts';
import { SubmissionPay } from '../../src/plugins/task/server/submission-pay.ts';
import { noWebhooks } from './no-webhooks.ts';
import { openTaskOffice, type TaskOffice, taskPath } from './task-office.ts';
import type { TestServerOptions } from './test-server.ts';

const payPath = '/api/things-task/weixinpay';

export interface StoredPayout {
  readonly payNo: string;
  readonly state: number;
  readonly providerState: string | null;
  readonly note: string | null;
  readonly payStatus: number;
  readonly waitSeconds: number;
  readonly postings: number;
}

/** Server whose payouts are sent and queried by the test only, so that it decides the order of events. */
export interface PayoutDesk {
  readonly office: TaskOffice;
  readonly payees: Readonly<Record<typeof accountKinds.wechat | typeof accountKinds.alipay, { userId: string; headers: Record<string, string> }>>;
  /** Starts a payout of each amount in 分 to an account of this kind; returns their numbers. */
  start(amounts: readonly number[], kind: keyof PayoutDesk['payees']): Promise<string[]>;
  /** Pays the work of these payouts again; returns the numbers of the new ones. */
  startAgain(payNos: readonly string[]): Promise<string[]>;
  /** Makes these payouts due, and sends or queries them as the server does. */
  turn(payNos: readonly string[]): Promise<void>;
  stored(payNos: readonly string[]): Promise<StoredPayout[]>;
}

const listed = (payNos: readonly string[]) => payNos.map((payNo) => `'${payNo}'`).join(',');

export async function openPayoutDesk(plugins: NonNullable<TestServerOptions['plugins']>): Promise<PayoutDesk> {
  let context: Pick<ServerContext, 'applyFilters'> | undefined;
  const alipayUsers = new Set<string>();
  const desk = defineServerPlugin({
    id: 'desk',
    title: ['测试', 'Test'],
    dependencies: ['payment'],
    setup: (given) => {
      context = given;
      const accountOf = (userId: string) => ({ userId, kind: accountKinds.alipay, account: 'ann@example.com', name: '安小姐' });
      return {
        filters: [
          filterHandler(PayeeAccounts, ({ userIds, accounts }) => ({
            userIds,
            accounts: [...accounts, ...userIds.filter((id) => alipayUsers.has(id)).map(accountOf)],
          })),
        ],
      };
    },
  });
  const office = await openTaskOffice({ timeScale: 0.001, plugins: ['payment', ...plugins, desk] });
  const { db, sql } = office.server;
  const payees = { [accountKinds.wechat]: await office.createMember('wendy'), [accountKinds.alipay]: await office.createMember('ann') };
  alipayUsers.add(payees[accountKinds.alipay].userId);
  const { headers: auditor } = await office.createAuditor('eve');
  await office.post('/api/things-task/ledger/submit', { advertiserId: office.requiredIds.advertiserId, amount: 10_000_000 });
  const gateways = new Gateways({ db, applyFilters: (...call) => (context as typeof context & object).applyFilters(...call) });
  const dispatcher = new Dispatcher(db, new Settlement(db, new Ledger(db), new SubmissionPay(db), noWebhooks), gateways);
  const pay = async (ids: readonly string[]): Promise<string[]> => {
    const reply = await office.post(payPath, { ids });
    expect(reply.code, reply.msg).toBe(200);
    const payNos = reply.data.payouts.map(({ payNo }: { payNo: string }) => payNo) as string[];
    // Nothing is due but what a test makes due.
    await sql("update payout set next_try = now() + interval '1 day' where state = 1");
    return payNos;
  };
  const submissionsOf = async (payNos: readonly string[]) => {
    const rows = await sql(
      `select submission_id::text as id from payout where pay_no in (${listed(payNos)}) order by array_position(array[${listed(payNos)}], pay_no::text)`,
    );
    return rows.map(({ id }) => String(id));
  };

  const templates = new Map<number, string>();
  /** Creates approved work, of which payouts are copies. */
  const approved = async (kind: keyof PayoutDesk['payees']): Promise<string> => {
    const id = await office.submitProof(await office.publishTask(), payees[kind].headers);
    await office.post(`${taskPath}/doAudit`, { id, status: 1 }, auditor);
    return id;
  };

  return {
    office,
    payees,
    async start(amounts, kind) {
      const template = templates.get(kind) ?? (await approved(kind));
      templates.set(kind, template);
      const copied = 'tenant_id, task_id, task_title, user_id, nick_name, deadline, submit_time, audit_status, audit_user, auditor_name';
      const rows = await sql(
        `insert into task_submission (${copied}, openid, audit_time, amount)
           select ${copied}, ${kind === accountKinds.wechat ? "'wallet'" : 'null'}, now() - interval '61 seconds', paid.amount
           from task_submission s, unnest(array[${amounts}]::bigint[]) with ordinality paid (amount, place) where s.id = ${template} order by paid.place
         returning id::text as id`,
      );
      return pay(rows.map(({ id }) => String(id)));
    },
    startAgain: async (payNos) => pay(await submissionsOf(payNos)),
    async turn(payNos) {
      // Due for an hour, so that they stay due when the clock of the machine is set back, and until none is due, as payouts that are locked by something else are skipped.
      const own = `state = 1 and pay_no in (${listed(payNos)})`;
      await sql(`update payout set next_try = now() - interval '1 hour' where ${own}`);
      do await dispatcher.runOnce();
      while ((await sql(`select from payout where next_try <= now() and ${own}`)).length > 0);
    },
    stored: async (payNos) =>
      (await sql(
        `select p.pay_no as "payNo", p.state, p.provider_state as "providerState", p.note, s.pay_status as "payStatus", extract(epoch from p.next_try - now())::float8 as "waitSeconds",
          (select count(*) from ledger_posting l where l.pay_no = p.pay_no)::integer as postings
         from payout p join task_submission s on s.id = p.submission_id where p.pay_no in (${listed(payNos)}) order by array_position(array[${listed(payNos)}], p.pay_no::text)`,
      )) as unknown as StoredPayout[],
  };
}
