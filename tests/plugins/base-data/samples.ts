import type { PluginSamples } from '../../kit/samples.ts';

export default {
  rows: [
    { entity: 'platform' },
    { entity: 'category' },
    { entity: 'task_grade' },
    { entity: 'advertiser', values: { companyid: '$admin', departid: '$admin' } },
    { entity: 'city', values: { code: '4403', province: '' } },
  ],
} satisfies PluginSamples;
