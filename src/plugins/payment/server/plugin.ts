import { defineServerPlugin, type ServerPlugin } from '#server';
import { ledgerMenu, payChannelMenu, payMenu, payoutMenu, reconciliationMenu } from '../menus.ts';
import type PaymentOptions from '../options.ts';
import { paymentParameters } from '../parameter-contract.ts';
import { channelRoutes } from './channel-routes.ts';
import { confirmationRoutes } from './confirmation-routes.ts';
import { ledgerCheck, ledgerRoutes } from './ledger-routes.ts';
import { paymentFigures } from './pay-figures.ts';
import { payoutRoutes } from './pay-routes.ts';
import { paymentServices, type TestOverrides } from './payment-services.ts';
import { reconciliationRoutes } from './reconciliation-routes.ts';
import { tenantHoldings } from './tenant-holdings.ts';

/** Payment: the ledger of advertisers, and payouts for approved work. */
export const paymentPlugin = (overrides: TestOverrides = {}): ServerPlugin =>
  defineServerPlugin<typeof PaymentOptions>({
    id: 'payment',
    title: ['付款', 'Payment'],
    parameters: paymentParameters,
    dependencies: ['base-data', 'task', 'miniapp'],
    menus: [payMenu, payoutMenu, ledgerMenu, reconciliationMenu, payChannelMenu],

    setup(context) {
      const { ledger, channels, payments, automatic, approvals, notices, dispatcher, reconciliations, differences } = paymentServices(context, overrides);
      return {
        routes: [
          ...ledgerRoutes(ledger),
          ...payoutRoutes(context.db, payments, approvals),
          ...channelRoutes(channels, notices),
          ...confirmationRoutes(context),
          ...reconciliationRoutes(context, reconciliations, differences),
        ],
        filters: [tenantHoldings(context)],
        processors: { 'payment:check-ledger': ledgerCheck(ledger) },
        figures: paymentFigures(context),
        tasks: [
          { everySeconds: 2, run: () => dispatcher.runOnce() },
          { everySeconds: 10, run: () => automatic.runOnce() },
          { everySeconds: 60, run: () => reconciliations.runOnce() },
        ],
      };
    },
  });

export default paymentPlugin();
