import type { PluginSamples } from '../../kit/samples.ts';

export default {
  rows: [
    { entity: 'payment_reconciliation' },
    { entity: 'payout', values: { submissionId: '$approved_submission', taskId: '$task', advertiserId: '$advertiser', userId: '$admin', withheld: 0 } },
    { entity: 'receipt', values: { advertiserId: '$advertiser', state: 1, entryId: 7 } },
    { entity: 'payment_difference', values: { reconciliationId: '$payment_reconciliation' } },
    { entity: 'ledger_month', values: { month: '2026-01' } },
  ],
  statements: [
    // Two postings that add up to zero, as the ledger requires.
    `insert into ledger_posting (tenant_id, entry_id, kind, account, advertiser_id, amount, pay_no)
    select '000000', 7, 1, account, $advertiser, amount, 'PAY-7' from (values (1, 700), (2, -700)) posting (account, amount)`,
  ],
  reads: {
    unaffected: {
      'payment.paymentRun.payees name': 'the seeded run has no payouts; the test of payees finds names',
      'payment.paymentRun.payees current': 'the seeded run has no payouts; the test of payees reads pages',
      'payment.paymentRun.payees size': 'the seeded run has no payouts; the test of payees reads pages',
      'payment.statements month': 'no posting is seeded; the test of funds reads months',
      'payment.statements advertiserId': 'no posting is seeded; the test of funds reads one advertiser',
      'payment.trialBalance account': 'the accounts of the seeded posting are of one advertiser; the test of closing reads accounts',
    },
  },
} satisfies PluginSamples;
