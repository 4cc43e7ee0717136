import { WorkPay } from '#plugins/task/server-extension';
import { defineServerPlugin, type ServerPlugin } from '#server';
import { ledgerMenu, payChannelMenu, payMenu, payoutMenu, reconciliationMenu } from '../menus.ts';
import type PaymentOptions from '../options.ts';
import { serveChannels } from './channel-routes.ts';
import { Channels } from './channels.ts';
import { serveConfirmation } from './confirmation-routes.ts';
import { Differences } from './differences.ts';
import { Dispatcher } from './dispatcher.ts';
import type { PaymentGateway } from './gateway.ts';
import { Ledger } from './ledger.ts';
import { serveLedger } from './ledger-routes.ts';
import { servePayouts } from './pay-routes.ts';
import { serveReconciliation } from './reconciliation-routes.ts';
import { Reconciliations } from './reconciliations.ts';
import { Settlement } from './settlement.ts';

const dispatchSeconds = 2;
const compareSeconds = 60;

/** What a deployment pays by; tests bring their own. */
interface Means {
  /** Where WeChat Pay is, instead of where the deployment says. */
  readonly address?: string;
  /** Pays for every tenant, whatever is set up. */
  readonly gateway?: PaymentGateway;
}

/** Money: what advertisers bring, and what people are paid for work that was approved. */
export const paymentPlugin = ({ address, gateway }: Means = {}): ServerPlugin =>
  defineServerPlugin<typeof PaymentOptions>({
    id: 'payment',
    title: ['付款', 'Payment'],
    needs: ['base-data', 'task', 'miniapp'],
    menus: [payMenu, payoutMenu, ledgerMenu, reconciliationMenu, payChannelMenu],

    routes(context) {
      const { db, every, get, options } = context;
      const money = new Ledger(db);
      const work = get(WorkPay);
      const settlement = new Settlement(db, money, work);
      const channels = new Channels(db, address ?? options.wechatPay);
      const choose = gateway ? async () => gateway : channels.choose;
      const dispatcher = new Dispatcher(db, settlement, choose);
      const reconciliations = new Reconciliations(db, settlement, choose, gateway ? async () => [gateway] : channels.thatPaid);

      serveLedger(context, money);
      servePayouts(context, money, work);
      serveChannels(context, channels, settlement);
      serveConfirmation(context);
      serveReconciliation(context, reconciliations, new Differences(db, settlement, choose));
      every(compareSeconds, () => reconciliations.round());
      every(dispatchSeconds, () => dispatcher.round());
    },
  });

export default paymentPlugin();
