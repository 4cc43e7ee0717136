import { defineServerPlugin } from '#server';
import type { Crud } from '#shared/contract';
import { type LedgerPosting, ledger } from '../contract.ts';
import { ledgerMenu } from '../menus.ts';
import { Ledger } from './ledger.ts';

/** Money: what advertisers bring, and what people are paid for work that was approved. */
export default defineServerPlugin({
  id: 'payment',
  title: ['付款', 'Payment'],
  needs: ['base-data'],
  menus: [ledgerMenu],

  routes({ serve, serveCrud, db }) {
    const money = new Ledger(db);

    serveCrud(ledger as unknown as Crud<typeof LedgerPosting>, money.rows);
    serve(ledger.submit, ({ input, principal }) => money.note(principal.tenantId, input));
    serve(ledger.check, () => money.check());
  },
});
