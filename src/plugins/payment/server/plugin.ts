import { defineServerPlugin, type ServerPlugin } from '#server';
import { ledgerMenu, payChannelMenu, payMenu, paymentRunMenu, payoutMenu, reconciliationMenu } from '../menus.ts';
import type PaymentOptions from '../options.ts';
import { paymentParameters } from '../parameter-contract.ts';
import { approvalMail } from './approver-notices.ts';
import { fundsMail } from './funds-notices.ts';
import { ledgerCheck } from './ledger.ts';
import { paymentFigures } from './pay-figures.ts';
import { channelRoutes, confirmationRoutes, payoutRoutes, reconciliationRoutes, runRoutes } from './payment-routes.ts';
import { paymentServices, type TestOverrides } from './payment-services.ts';
import { publicationFunds } from './publication-funds.ts';
import { payoutsOfTasks } from './task-uses.ts';
import { tenantHoldings } from './tenant-holdings.ts';

/** Payment: the ledger of advertisers, and payouts for approved work. */
export const paymentPlugin = (overrides: TestOverrides = {}): ServerPlugin =>
  defineServerPlugin<typeof PaymentOptions>({
    id: 'payment',
    title: ['付款', 'Payment'],
    parameters: paymentParameters,
    mailKinds: [approvalMail, fundsMail],
    dependencies: ['base-data', 'task', 'miniapp'],
    menus: [payMenu, paymentRunMenu, payoutMenu, ledgerMenu, reconciliationMenu, payChannelMenu],

    setup(context) {
      const { db } = context;
      const services = paymentServices(context, overrides);
      const { ledger, funds, fundsNotices, automatic, dispatcher, reconciliations } = services;
      return {
        routes: [
          ...payoutRoutes(db, services),
          ...runRoutes(services),
          ...channelRoutes(services),
          ...confirmationRoutes(db),
          ...reconciliationRoutes(db, services),
        ],
        filters: [tenantHoldings(context), ...publicationFunds(context, funds)],
        references: [payoutsOfTasks(context)],
        processors: { 'payment:check-ledger': ledgerCheck(ledger) },
        figures: paymentFigures(context),
        tasks: [
          { everySeconds: 2, run: () => dispatcher.runOnce() },
          { everySeconds: 10, run: () => automatic.runOnce() },
          { everySeconds: 60, run: () => reconciliations.runOnce() },
          { everySeconds: 120, run: () => fundsNotices.runOnce() },
        ],
      };
    },
  });

export default paymentPlugin();
