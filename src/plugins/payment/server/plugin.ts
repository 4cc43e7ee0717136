import { defineServerPlugin, type ServerContext, type ServerPlugin } from '#server';
import type { Crud } from '#shared/contract';
import { type LedgerPosting, ledger } from '../contract.ts';
import { ledgerMenu, payMenu, payoutMenu } from '../menus.ts';
import { type ChooseGateway, Dispatcher } from './dispatcher.ts';
import { Ledger } from './ledger.ts';
import { servePayouts } from './pay-routes.ts';
import { SandboxGateway } from './sandbox-gateway.ts';
import { Settlement } from './settlement.ts';

const dispatchSeconds = 2;
const sandbox =
  ({ db }: ServerContext): ChooseGateway =>
  async (tenantId) =>
    new SandboxGateway(db, tenantId);

/** Money: what advertisers bring, and what people are paid for work that was approved. */
export const paymentPlugin = (choosing: (context: ServerContext) => ChooseGateway): ServerPlugin =>
  defineServerPlugin({
    id: 'payment',
    title: ['付款', 'Payment'],
    needs: ['base-data', 'task'],
    menus: [payMenu, payoutMenu, ledgerMenu],

    routes(context) {
      const { serve, serveCrud, db, every } = context;
      const money = new Ledger(db);
      const dispatcher = new Dispatcher(db, new Settlement(db, money), choosing(context));

      serveCrud(ledger as unknown as Crud<typeof LedgerPosting>, money.rows);
      serve(ledger.submit, ({ input, principal }) => money.note(principal.tenantId, input));
      serve(ledger.check, () => money.check());
      servePayouts(context, money);
      every(dispatchSeconds, () => dispatcher.round());
    },
  });

export default paymentPlugin(sandbox);
