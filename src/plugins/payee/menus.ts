import { menu } from '#shared/menu-entry';
import { menuGroups } from '#shared/menu-groups';

export const payeeMenu = menu({
  code: 'payee',
  title: ['收款人', 'Payees'],
  path: '/finance/payee',
  under: menuGroups.payees,
  icon: 'idcard',
  sort: 1,
  buttons: [
    'add',
    'edit',
    'view',
    'export',
    'import',
    { code: 'payee_verify', title: ['核验', 'Verify'] },
    { code: 'payee_reveal', title: ['查看完整证件号和账号', 'Reveal numbers'] },
  ],
});

export const payeeIncomeMenu = menu({
  code: 'payee_income',
  title: ['收款人收入', 'Payee income'],
  path: '/finance/payee-income',
  under: menuGroups.payees,
  icon: 'list',
  sort: 2,
  buttons: ['view', 'export'],
});

export const withholdingRuleMenu = menu({
  code: 'withholding_rule',
  title: ['代扣规则', 'Withholding rules'],
  path: '/finance/withholding-rule',
  under: menuGroups.payees,
  icon: 'book',
  sort: 5,
  buttons: ['add', 'edit', 'delete', 'view'],
});

export const platformReportMenu = menu({
  code: 'platform_report',
  title: ['涉税信息报送', 'Tax reports'],
  path: '/finance/platform-report',
  under: menuGroups.payees,
  icon: 'file',
  sort: 3,
  buttons: [
    'add',
    'view',
    'export',
    { code: 'platform_report_submit', title: ['标记已提交', 'Mark as submitted'] },
    { code: 'platform_report_file', title: ['下载报送文件', 'Download the file'] },
  ],
});

export const platformReportRowMenu = menu({
  code: 'platform_report_row',
  title: ['报送明细', 'Tax report details'],
  path: '/finance/platform-report-row',
  under: menuGroups.payees,
  icon: 'list',
  sort: 4,
  buttons: ['view', 'export'],
});

export const reportFormatMenu = menu({
  code: 'report_format',
  title: ['报送格式', 'Report formats'],
  path: '/finance/report-format',
  under: menuGroups.payees,
  icon: 'layout',
  sort: 6,
  buttons: ['add', 'edit', 'delete', 'view'],
});
