import { addToScreen, definePlugin, page } from '#kernel';
import { closingMenu, ledgerMenu, payMenu, paymentLimitMenu, paymentRunMenu, payoutMenu, receiptMenu, reconciliationMenu } from '../menus.ts';

/** Payment: the ledger of advertisers, and payouts for approved work. */
export default definePlugin({
  id: 'payment',
  title: ['付款', 'Payment'],
  dependencies: ['base-data', 'task'],
  contributions: [addToScreen('advertiser', () => import('./advertiser-screen.ts')), addToScreen(paymentRunMenu.code, () => import('./run-screen.ts'))],
  pages: [
    page(payMenu, () => import('./PayPage.tsx')),
    page(paymentRunMenu, () => import('./RunPage.tsx')),
    page(payoutMenu, () => import('./PayoutPage.tsx')),
    page(receiptMenu, () => import('./ReceiptPage.tsx')),
    page(ledgerMenu, () => import('./LedgerPage.tsx')),
    page(reconciliationMenu, () => import('./ReconciliationPage.tsx')),
    page(closingMenu, () => import('./ClosingPage.tsx')),
    page(paymentLimitMenu, () => import('./LimitPage.tsx')),
  ],
});
