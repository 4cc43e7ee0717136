import { sql } from 'drizzle-orm';
import { type GaugeSource, queryRows, type ServerContext } from '#server';
import { payoutMenu } from '../menus.ts';
import { payoutStateSql } from './states.ts';

/** Metrics of payouts by state, from the sums that payment runs keep. */
export const paymentGauges = ({ db }: Pick<ServerContext, 'db'>): GaugeSource[] => [
  {
    name: 'marquee_payouts',
    help: 'Payouts of all tenants by state; rejected ones include reversed ones.',
    labels: ['state'],
    health: [{ title: ['处理中的打款', 'Payouts being processed'], labels: { state: 'processing' } }],
    read: async () => {
      const [sums = {}] = await queryRows<Record<string, number>>(
        db,
        sql`select coalesce(sum(awaiting), 0)::float8 as awaiting, coalesce(sum(processing), 0)::float8 as processing, coalesce(sum(paid), 0)::float8 as paid,
              coalesce(sum(failed), 0)::float8 as failed, coalesce(sum(refused), 0)::float8 as refused from payment_run`,
      );
      return Object.entries(sums).map(([state, value]) => ({ labels: { state }, value }));
    },
  },
  {
    name: 'marquee_payout_lag_seconds',
    help: 'Time since the payout that is longest overdue should have been sent or queried.',
    health: [
      {
        title: ['打款滞后', 'Delay of payouts'],
        unit: 'seconds',
        limit: {
          above: 900,
          isUrgent: true,
          page: payoutMenu.code,
          text: [
            '有打款超时未发送或查询：请查看打款记录与系统日志中的渠道错误',
            'Payouts are overdue to be sent or queried. Check the payouts, and the system log for errors of the payment provider.',
          ],
        },
      },
    ],
    read: async () => {
      const rows = await queryRows<{ value: number }>(
        db,
        sql`select greatest(0, coalesce(extract(epoch from now() - min(next_try)), 0))::float8 as value from payout where state = ${payoutStateSql.processing}`,
      );
      return rows.map(({ value }) => ({ value }));
    },
  },
];
