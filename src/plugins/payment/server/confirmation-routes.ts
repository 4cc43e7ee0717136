import { sql } from 'drizzle-orm';
import { ApiError, type PluginRoute, problems, queryRows, route, type ServerContext } from '#server';
import type { ReplyOf } from '#shared/contract';
import { confirmation, payoutStates } from '../contract.ts';

/** Minimum interval between queries of the provider, however often the payee reports an answer. */
const minQueryInterval = '2 seconds';

/** Serves payees their own payments and takes their confirmation. */
export function confirmationRoutes({ db }: Pick<ServerContext, 'db'>): PluginRoute[] {
  return [
    route(confirmation.detail, async ({ input, principal }) => {
      const [found] = await queryRows<ReplyOf<typeof confirmation.detail>>(
        db,
        sql`select p.pay_no as "payNo", p.state, p.amount::float8 as amount, c.mch_id as "mchId", c.app_id as "appId",
            case when p.state = ${payoutStates.processing} and p.awaits_payee then p.package_info end as "packageInfo"
          from payout p left join pay_channel c on p.gateway = 'wechat:' || c.id
          where p.submission_id = ${input.id} and p.user_id = ${principal.userId} order by p.id desc limit 1`,
      );
      if (!found) throw new ApiError(problems.notFound);
      return found;
    }),
    route(confirmation.answered, async ({ input, principal }) => {
      await db.sql.execute(
        sql`update payout set next_try = least(next_try, now() + ${minQueryInterval}::interval)
          where submission_id = ${input.id} and user_id = ${principal.userId} and state = ${payoutStates.processing}`,
      );
    }),
  ];
}
