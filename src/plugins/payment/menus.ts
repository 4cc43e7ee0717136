import { menu } from '#shared/menu-entry';
import { menuGroups } from '#shared/menu-groups';

export const payMenu = menu({
  code: 'task_pay',
  title: ['任务付款', 'Payment'],
  path: '/task/pay',
  under: menuGroups.finance,
  icon: 'check-square',
  sort: 1,
  buttons: [{ code: 'task_pay_manual', title: ['登记线下付款', 'Record manual payments'] }],
});

export const paymentRunMenu = menu({
  code: 'payment_run',
  title: ['付款批次', 'Payment runs'],
  path: '/task/run',
  under: menuGroups.finance,
  icon: 'ordered-list',
  sort: 2,
  grantedWith: 'payout',
  buttons: ['view', 'export'],
});

export const payoutMenu = menu({
  code: 'payout',
  title: ['付款单', 'Payouts'],
  path: '/task/payout',
  under: menuGroups.finance,
  icon: 'list',
  sort: 3,
  buttons: ['view', 'export', { code: 'payout_approve', title: ['复核', 'Approve'] }, { code: 'payout_outcome', title: ['登记付款结果', 'Record outcomes'] }],
});

export const ledgerMenu = menu({
  code: 'ledger',
  title: ['资金流水', 'Ledger'],
  path: '/task/ledger',
  under: menuGroups.finance,
  icon: 'book',
  sort: 7,
  buttons: ['view', 'export', { code: 'ledger_close', title: ['结账', 'Close months'] }],
});

export const receiptMenu = menu({
  code: 'receipt',
  title: ['收退款', 'Receipts'],
  path: '/task/receipt',
  under: menuGroups.finance,
  icon: 'file',
  sort: 6,
  grantedWith: 'ledger',
  buttons: ['add', 'view', 'export', { code: 'receipt_approve', title: ['复核', 'Approve'] }],
});

export const reconciliationMenu = menu({
  code: 'reconciliation',
  title: ['对账', 'Reconciliation'],
  path: '/task/reconciliation',
  under: menuGroups.finance,
  icon: 'safe',
  sort: 8,
  buttons: [
    'view',
    'export',
    { code: 'reconciliation_compare', title: ['核对', 'Compare'] },
    { code: 'reconciliation_handle', title: ['处理差异', 'Resolve differences'] },
  ],
});

export const paymentLimitMenu = menu({
  code: 'payment_limit',
  title: ['付款限额', 'Payment limits'],
  path: '/task/payment-limit',
  under: menuGroups.paymentSetup,
  icon: 'lock',
  sort: 1,
  buttons: ['edit'],
});

export const closingMenu = menu({
  code: 'closing',
  title: ['月末结账', 'Month-end close'],
  path: '/task/closing',
  under: menuGroups.finance,
  icon: 'calendar-clock',
  sort: 9,
  grantedWith: 'ledger',
  buttons: ['view', 'export'],
});
