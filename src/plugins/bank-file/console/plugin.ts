import { definePlugin, page } from '#kernel';
import { bankAccountMenu, bankFileLineMenu, bankFileMenu } from '../menus.ts';

/** Bank files: payouts to bank accounts that finance pays at its bank, file by file. */
export default definePlugin({
  id: 'bank-file',
  title: ['银行文件付款', 'Bank files'],
  dependencies: ['payment'],
  pages: [
    page(bankFileMenu, () => import('./BankFilePage.tsx')),
    page(bankFileLineMenu, () => import('./BankFileLinePage.tsx')),
    page(bankAccountMenu, () => import('./BankAccountPage.tsx')),
  ],
});
