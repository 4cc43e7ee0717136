import type { PluginSamples } from '../../kit/samples.ts';

export default {
  rows: [{ entity: 'dept' }, { entity: 'post' }],
  reads: {
    unaffected: {
      'organization.user.exportSheet totals': 'a sheet has no totals',
      'organization.user.choices totals': 'it answers rows only',
    },
  },
} satisfies PluginSamples;
