import { definePlugin, page } from '#kernel';
import { ledgerMenu } from '../menus.ts';

/** Money: what advertisers bring, and what people are paid for work that was approved. */
export default definePlugin({
  id: 'payment',
  title: ['付款', 'Payment'],
  needs: ['base-data'],
  pages: [page(ledgerMenu, () => import('./LedgerPage.tsx'))],
});
