import type { PluginSamples } from '../../kit/samples.ts';

export default {
  rows: [{ entity: 'registration' }],
} satisfies PluginSamples;
