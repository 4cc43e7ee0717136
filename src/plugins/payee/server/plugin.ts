import { crudRoutes, defineServerPlugin, Reauth, repositoryOf, route } from '#server';
import { PayeeIncome, payee, payeeIncome, payeeStates, platformReport, reportedPayee, reportFormat, withholdingRule } from '../contract.ts';
import { payeeIncomeMenu, payeeMenu, platformReportMenu, platformReportRowMenu, reportFormatMenu, withholdingRuleMenu } from '../menus.ts';
import { payeeAccounts } from './payee-accounts.ts';
import { Payees, payoutsOfPayees } from './payees.ts';
import { personalData } from './personal-data.ts';
import { Reports } from './reports.ts';
import { wholePaymentsOnly } from './whole-payments.ts';
import { WithholdingRules } from './withholding-rules.ts';

/** Payees: the identity, the accounts and the income of the people who are paid. */
export default defineServerPlugin({
  id: 'payee',
  title: ['收款人', 'Payees'],
  dependencies: ['payment'],
  personalData,
  menus: [payeeMenu, payeeIncomeMenu, withholdingRuleMenu, platformReportMenu, platformReportRowMenu, reportFormatMenu],

  setup(context) {
    const { db, get } = context;
    const payees = new Payees(db, get(Reauth));
    const rules = new WithholdingRules(context);
    const reports = new Reports(db);
    return {
      routes: [
        crudRoutes(payee, payees.rows, {
          search: {
            fields: ['nickName', 'name'],
            subtitle: ['name', 'state'],
            actions: { payee_verify: ({ state }) => state === payeeStates.unverified, payee_edit: true },
          },
        }),
        route(payee.submit, ({ input }) => payees.save(input)),
        route(payee.people, ({ input }) => payees.people.page(input)),
        route(payee.verify, ({ input, principal }) => payees.verify(principal, input)),
        route(payee.reject, ({ input, principal }) => payees.reject(principal, input)),
        route(payee.reveal, ({ input, principal }) => payees.reveal(principal, input.id, input.password), { manualTransactions: true, noStore: true }),
        crudRoutes(payeeIncome, repositoryOf(db, PayeeIncome, wholePaymentsOnly)),
        crudRoutes(withholdingRule, rules.rows),
        crudRoutes(platformReport, reports.rows),
        crudRoutes(reportedPayee, reports.payees),
        crudRoutes(reportFormat, reports.formats),
        route(platformReport.compile, ({ input, principal }) => reports.compile(principal, input.quarter)),
        route(platformReport.submitted, ({ input, principal }) => reports.submit(principal, input.id, input.receiptNo ?? null)),
        route(platformReport.receipt, ({ input, principal }) => reports.recordReceipt(principal, input.id, input.receiptNo)),
        route(platformReport.file, ({ input, principal }) => reports.file(principal, input.id, input.after), { noStore: true }),
      ],
      filters: [payeeAccounts(context), rules.filter],
      references: [payoutsOfPayees(context)],
    };
  },
});
