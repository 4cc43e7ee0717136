import { PayoutListener } from '#plugins/task/server-extension';
import type { ServerContext } from '#server';
import { Approvals } from './approvals.ts';
import { AutomaticPayments } from './automatic-payments.ts';
import { Channels } from './channels.ts';
import { Differences } from './differences.ts';
import { Dispatcher } from './dispatcher.ts';
import type { PaymentGateway } from './gateway.ts';
import { Ledger } from './ledger.ts';
import { Notices } from './notices.ts';
import { Payments } from './payments.ts';
import { Reconciliations } from './reconciliations.ts';
import { Settlement } from './settlement.ts';

/** Overrides of the provider for tests. */
export interface TestOverrides {
  /** Address of WeChat Pay, instead of the configured one. */
  readonly address?: string;
  /** Provider for all tenants, regardless of their channels. */
  readonly gateway?: PaymentGateway;
}

/** Builds the services of payment. */
export function paymentServices(context: ServerContext<{ readonly wechatPay: string }>, { address, gateway }: TestOverrides) {
  const { db, get, options } = context;
  const ledger = new Ledger(db);
  const work = get(PayoutListener);
  const settlement = new Settlement(db, ledger, work);
  const channels = new Channels(db, address ?? options.wechatPay);
  const choose = gateway ? async () => gateway : channels.resolveGateway;
  const payments = new Payments({ ...context, assertChannel: async () => (gateway ? undefined : channels.assertChannel()) }, ledger, work);
  return {
    ledger,
    channels,
    payments,
    automatic: new AutomaticPayments(db, payments),
    approvals: new Approvals(db, ledger, work),
    notices: new Notices(db, channels, settlement),
    dispatcher: new Dispatcher(db, settlement, choose),
    reconciliations: new Reconciliations(db, settlement, choose, gateway ? async () => [gateway] : channels.statementGateways),
    differences: new Differences(db, settlement, choose),
  };
}
