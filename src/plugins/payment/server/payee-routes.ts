import { sql } from 'drizzle-orm';
import { Submission } from '#plugins/task/contract';
import { ApiError, type BatchRefusal, canSeeField, idArray, queryRows, type ServerContext } from '#server';
import { accountKinds, type PayeeAccount, PayeeAccounts, paymentProblems } from '../contract.ts';
import { type Gateways, selectRoute } from './gateways.ts';
import { manualGateway } from './manual-gateway.ts';
import { payoutStateSql } from './states.ts';
import { formatYuan } from './yuan.ts';

/** Submission as far as its payee and amount are concerned. */
interface PaidSubmission {
  readonly id: string;
  readonly userId: string;
  readonly nickName: string;
  readonly name: string;
  readonly openid: string | null;
  readonly amount: number;
}

/** Account that a submission is paid to, as columns of its payout, and the gateway that would send it now. */
export interface PayeeRoute {
  readonly gateway: string;
  readonly columns: { readonly openid?: string; readonly kind: number; readonly account?: string; readonly name?: string; readonly bank?: string | undefined };
}

/** Finds an account for each submission that an enabled gateway can pay to. A gateway that has refused an earlier payout of the submission comes last. */
export async function routesOf(
  { db, applyFilters, gateways }: Pick<ServerContext, 'db' | 'applyFilters'> & { readonly gateways: Pick<Gateways, 'enabled'> },
  tenantId: string,
  submissions: readonly PaidSubmission[],
): Promise<{ routes: Map<string, PayeeRoute>; refusals: BatchRefusal[] }> {
  const enabled = await gateways.enabled(tenantId);
  const userIds = [...new Set(submissions.map(({ userId }) => userId))];
  const { accounts } = await applyFilters(PayeeAccounts, { userIds, accounts: [] });
  const declared = new Map<string, PayeeAccount[]>();
  for (const account of accounts) declared.set(account.userId, [...(declared.get(account.userId) ?? []), account]);
  const refusedBy = await refusingGateways(
    db,
    submissions.map(({ id }) => id),
  );
  const routes = new Map<string, PayeeRoute>();
  const refusals: BatchRefusal[] = [];
  for (const submission of submissions) {
    const { id, amount, nickName } = submission;
    const accounts = accountsOf(submission, declared.get(submission.userId) ?? []);
    const route = selectRoute(
      enabled,
      accounts.map((account) => ({ account, amount, refusedBy: refusedBy.get(id) ?? [] })),
    );
    if (route) routes.set(id, { gateway: route.gateway.name, columns: columnsOf(route.transfer.account) });
    else if (accounts.length === 0) refusals.push({ id, error: new ApiError(paymentProblems.noLinkedAccount, { name: nickName }) });
    else refusals.push({ id, error: unreachable(nickName, amount) });
  }
  return { routes, refusals };
}

const unreachable = (name: string, amount: number) =>
  canSeeField(Submission.name, 'amount')
    ? new ApiError(paymentProblems.unreachable, { name, amount: formatYuan(amount) })
    : new ApiError(paymentProblems.unreachableHidden, { name });

/** Routes of payments that were made outside of any provider, to whatever account. */
export const manualRoutes = (submissions: readonly PaidSubmission[]): { routes: Map<string, PayeeRoute>; refusals: BatchRefusal[] } => ({
  routes: new Map(submissions.map(({ id, openid }) => [id, { gateway: manualGateway, columns: { kind: accountKinds.wechat, openid: openid ?? '' } }])),
  refusals: [],
});

const accountsOf = ({ userId, openid, name }: PaidSubmission, declared: readonly PayeeAccount[]): PayeeAccount[] => [
  ...(openid ? [{ userId, kind: accountKinds.wechat, account: openid, name }] : []),
  ...declared.filter(({ kind }) => kind !== accountKinds.wechat),
];

const columnsOf = ({ kind, account, name, bank }: PayeeAccount): PayeeRoute['columns'] =>
  kind === accountKinds.wechat ? { kind, openid: account } : { kind, account, name, bank };

async function refusingGateways(db: ServerContext['db'], ids: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await queryRows<{ id: string; gateways: string[] }>(
    db,
    sql`select submission_id::text as id, array_agg(distinct gateway) as gateways from payout
        where submission_id = any(${idArray(ids)}) and state = ${payoutStateSql.failed} and gateway <> '' group by submission_id`,
  );
  return new Map(rows.map(({ id, gateways }) => [id, gateways]));
}
