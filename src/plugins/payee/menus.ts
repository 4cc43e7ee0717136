import { menu } from '#shared/menu-entry';
import { menuGroups } from '#shared/menu-groups';

export const payeeMenu = menu({
  code: 'payee',
  title: ['收款人', 'Payees'],
  path: '/finance/payee',
  under: menuGroups.finance,
  icon: 'idcard',
  sort: 11,
  buttons: [
    'add',
    'edit',
    'view',
    'export',
    'import',
    { code: 'payee_verify', title: ['核验', 'Verify'] },
    { code: 'payee_reveal', title: ['查看完整证件号和账号', 'See full numbers'] },
  ],
});

export const payeeIncomeMenu = menu({
  code: 'payee_income',
  title: ['收款人收入', 'Income of payees'],
  path: '/finance/payee-income',
  under: menuGroups.finance,
  icon: 'list',
  sort: 12,
  buttons: ['view', 'export'],
});

export const withholdingRuleMenu = menu({
  code: 'withholding_rule',
  title: ['代扣规则', 'Withholding rules'],
  path: '/finance/withholding-rule',
  under: menuGroups.finance,
  icon: 'book',
  sort: 13,
  buttons: ['add', 'edit', 'delete', 'view'],
});

export const platformReportMenu = menu({
  code: 'platform_report',
  title: ['涉税信息报送', 'Reports to the tax authority'],
  path: '/finance/platform-report',
  under: menuGroups.finance,
  icon: 'file',
  sort: 14,
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
  title: ['报送明细', 'Rows of reports'],
  path: '/finance/platform-report-row',
  under: menuGroups.finance,
  icon: 'list',
  sort: 15,
  buttons: ['view', 'export'],
});

export const reportFormatMenu = menu({
  code: 'report_format',
  title: ['报送格式', 'Report formats'],
  path: '/finance/report-format',
  under: menuGroups.finance,
  icon: 'layout',
  sort: 16,
  buttons: ['add', 'edit', 'delete', 'view'],
});
