import type { PluginSamples } from '../../kit/samples.ts';

export default {
  rows: [{ entity: 'sms_outbox' }],
} satisfies PluginSamples;
