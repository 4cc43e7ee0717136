import type { PluginSamples } from '../../kit/samples.ts';

export default {
  forms: { region: { code: '99', name: '样例', sort: 1 } },
  reads: { unaffected: { 'region.region.exportSheet totals': 'a sheet has no totals' } },
} satisfies PluginSamples;
