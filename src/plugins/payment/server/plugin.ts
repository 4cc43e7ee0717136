import { PayoutListener } from '#plugins/task/server-extension';
import { defineServerPlugin, type ServerPlugin } from '#server';
import { ledgerMenu, payChannelMenu, payMenu, payoutMenu, reconciliationMenu } from '../menus.ts';
import type PaymentOptions from '../options.ts';
import { paymentParameters } from '../parameter-contract.ts';
import { serveChannels } from './channel-routes.ts';
import { Channels } from './channels.ts';
import { serveConfirmation } from './confirmation-routes.ts';
import { Differences } from './differences.ts';
import { Dispatcher } from './dispatcher.ts';
import type { PaymentGateway } from './gateway.ts';
import { Ledger } from './ledger.ts';
import { serveLedger } from './ledger-routes.ts';
import { Notices } from './notices.ts';
import { servePayouts } from './pay-routes.ts';
import { serveReconciliation } from './reconciliation-routes.ts';
import { Reconciliations } from './reconciliations.ts';
import { Settlement } from './settlement.ts';

const [dispatchSeconds, compareSeconds] = [2, 60];

/** Overrides of the provider for tests. */
interface TestOverrides {
  /** Address of WeChat Pay, instead of the configured one. */
  readonly address?: string;
  /** Provider for all tenants, regardless of their channels. */
  readonly gateway?: PaymentGateway;
}

/** Payment: the ledger of advertisers, and payouts for approved work. */
export const paymentPlugin = ({ address, gateway }: TestOverrides = {}): ServerPlugin =>
  defineServerPlugin<typeof PaymentOptions>({
    id: 'payment',
    title: ['付款', 'Payment'],
    parameterDeclarations: paymentParameters,
    dependencies: ['base-data', 'task', 'miniapp'],
    menus: [payMenu, payoutMenu, ledgerMenu, reconciliationMenu, payChannelMenu],

    routes(context) {
      const { db, every, get, options } = context;
      const money = new Ledger(db);
      const work = get(PayoutListener);
      const settlement = new Settlement(db, money, work);
      const channels = new Channels(db, address ?? options.wechatPay);
      const choose = gateway ? async () => gateway : channels.choose;
      const dispatcher = new Dispatcher(db, settlement, choose);
      const reconciliations = new Reconciliations(db, settlement, choose, gateway ? async () => [gateway] : channels.thatPaid);

      serveLedger(context, money);
      servePayouts({ ...context, assertChannel: async () => (gateway ? undefined : channels.assertChannel()) }, money, work);
      serveChannels(context, channels, new Notices(db, channels, settlement));
      serveConfirmation(context);
      serveReconciliation(context, reconciliations, new Differences(db, settlement, choose));
      every(compareSeconds, () => reconciliations.round());
      every(dispatchSeconds, () => dispatcher.round());
    },
  });

export default paymentPlugin();
