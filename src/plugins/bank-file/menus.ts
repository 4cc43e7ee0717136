import { menu } from '#shared/menu-entry';
import { menuGroups } from '#shared/menu-groups';

export const bankFileMenu = menu({
  code: 'bank_file',
  title: ['银行付款文件', 'Bank files'],
  path: '/task/bank-file',
  under: menuGroups.finance,
  icon: 'file',
  sort: 4,
  buttons: ['view', { code: 'bank_file_download', title: ['下载', 'Download'] }, { code: 'bank_file_settle', title: ['登记结果', 'Record results'] }],
});

export const bankFileLineMenu = menu({
  code: 'bank_file_line',
  title: ['银行付款明细', 'Bank file lines'],
  path: '/task/bank-file-line',
  under: menuGroups.finance,
  icon: 'list',
  sort: 5,
  buttons: ['view'],
});

export const bankAccountMenu = menu({
  code: 'bank_account',
  title: ['付款银行账户', 'Paying bank accounts'],
  path: '/task/bank-account',
  under: menuGroups.paymentSetup,
  icon: 'settings',
  sort: 4,
  buttons: ['add', 'edit', 'delete', 'view', { code: 'bank_account_enable', title: ['启用', 'Enable'] }],
});
