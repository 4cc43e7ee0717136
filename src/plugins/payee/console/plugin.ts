import { definePlugin, page } from '#kernel';
import { payeeIncomeMenu, payeeMenu, platformReportMenu, platformReportRowMenu, reportFormatMenu, withholdingRuleMenu } from '../menus.ts';

/** Payees: the identity, the accounts and the income of the people who are paid. */
export default definePlugin({
  id: 'payee',
  title: ['收款人', 'Payees'],
  pages: [
    page(payeeMenu, () => import('./PayeePage.tsx')),
    page(payeeIncomeMenu, () => import('./IncomePage.tsx')),
    page(withholdingRuleMenu, () => import('./RulePage.tsx')),
    page(platformReportMenu, () => import('./ReportPage.tsx')),
    page(platformReportRowMenu, () => import('./ReportRowPage.tsx')),
    page(reportFormatMenu, () => import('./FormatPage.tsx')),
  ],
});
