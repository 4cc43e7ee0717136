import { defineServerPlugin, provide, type ServerPlugin } from '#server';
import { closingMenu, ledgerMenu, payMenu, paymentLimitMenu, paymentRunMenu, payoutMenu, receiptMenu, reconciliationMenu } from '../menus.ts';
import { ProviderPayouts } from '../server-extension.ts';
import { payoutFailed, payoutPaid } from '../webhook-contract.ts';
import { approvalMail, receiptMail } from './approver-notices.ts';
import { closingRoutes } from './closing.ts';
import { payoutsOfTasks, tenantHoldings } from './deletion-checks.ts';
import { publicationFunds } from './funds.ts';
import { fundsMail } from './funds-notices.ts';
import { paymentGauges } from './gauges.ts';
import { ledgerCheck } from './ledger.ts';
import { paymentFigures } from './pay-figures.ts';
import { confirmationRoutes, payoutRoutes, receiptRoutes, reconciliationRoutes, runRoutes } from './payment-routes.ts';
import { paymentServices, type TestOverrides } from './payment-services.ts';
import { personalData } from './personal-data.ts';
import { sealAccounts } from './sealed-accounts.ts';
import { sealedMoney } from './sealed-tables.ts';

/** Payment: the ledger of advertisers, and payouts for approved work. */
export const paymentPlugin = (overrides: TestOverrides = {}): ServerPlugin =>
  defineServerPlugin({
    id: 'payment',
    title: ['付款', 'Payment'],
    sealedTables: sealedMoney,
    mailKinds: [approvalMail, receiptMail, fundsMail],
    webhookEvents: [payoutPaid, payoutFailed],
    dependencies: ['base-data', 'task', 'miniapp'],
    personalData,
    menus: [payMenu, paymentRunMenu, payoutMenu, receiptMenu, ledgerMenu, reconciliationMenu, closingMenu, paymentLimitMenu],
    setup(context) {
      const [{ db }, services] = [context, paymentServices(context, overrides)];
      const { ledger, funds, limitSettings, fundsNotices, automatic, dispatcher, reconciliations } = services;
      return {
        routes: [
          ...payoutRoutes(db, services),
          ...receiptRoutes(services),
          ...runRoutes(services),
          ...confirmationRoutes(db, services),
          ...reconciliationRoutes(db, services),
          ...closingRoutes(db, services.closing),
        ],
        services: [provide(ProviderPayouts, services.sentPayouts)],
        filters: [tenantHoldings(context), ...publicationFunds(limitSettings, funds)],
        references: [payoutsOfTasks(context)],
        processors: { 'payment:check-ledger': ledgerCheck(ledger) },
        figures: paymentFigures(context),
        gauges: paymentGauges(context),
        tasks: [
          { everySeconds: 2, run: (signal) => dispatcher.runOnce(signal) },
          { everySeconds: 10, run: (signal) => automatic.runOnce(signal) },
          { everySeconds: 60, run: (signal) => reconciliations.runOnce(signal) },
          { everySeconds: 120, run: () => fundsNotices.runOnce() },
          { everySeconds: 60, run: (signal) => sealAccounts(db, signal) },
        ],
      };
    },
  });

export default paymentPlugin();
