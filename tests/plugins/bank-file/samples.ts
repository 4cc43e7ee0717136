import type { PluginSamples } from '../../kit/samples.ts';

export default {
  forms: { bankAccount: { name: '样例', bank: '样例', account: '1202020011' } },
  rows: [
    { entity: 'bank_account' },
    { entity: 'bank_file', values: { bankAccountId: '$bank_account', runNo: 'sample' } },
    { entity: 'bank_file_line', values: { fileId: '$bank_file' } },
  ],
} satisfies PluginSamples;
