import type { PluginSamples } from '../../kit/samples.ts';

export default {
  forms: {
    withholdingRule: { name: '样例', validFrom: '2999-01-01', basis: 3, bands: '0 3 0', source: '样例' },
    reportFormat: { name: '样例', validFrom: '2999-01-01', columns: '姓名 = name', source: '样例' },
  },
  rows: [
    // Payees have the ids of their users; the first payout adds them.
    { entity: 'payee', existing: '$admin' },
    { entity: 'payee_income', values: { userId: '$admin' } },
    { entity: 'withholding_rule' },
    { entity: 'report_format' },
    { entity: 'platform_report', values: { quarter: '2026-Q1' } },
    { entity: 'platform_report_row', values: { reportId: '$platform_report', userId: '$admin' } },
  ],
} satisfies PluginSamples;
