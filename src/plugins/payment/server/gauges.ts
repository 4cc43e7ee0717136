import { sql } from 'drizzle-orm';
import { type GaugeSource, queryRows, type ServerContext } from '#server';
import { payoutStateSql } from './states.ts';

/** Metrics of payouts by state, from the sums that payment runs keep. */
export const paymentGauges = ({ db }: Pick<ServerContext, 'db'>): GaugeSource[] => [
  {
    name: 'marquee_payouts',
    help: 'Payouts of all tenants by state; rejected ones include reversed ones.',
    labels: ['state'],
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
    read: async () => {
      const rows = await queryRows<{ value: number }>(
        db,
        sql`select greatest(0, coalesce(extract(epoch from now() - min(next_try)), 0))::float8 as value from payout where state = ${payoutStateSql.processing}`,
      );
      return rows.map(({ value }) => ({ value }));
    },
  },
];
