import type { PluginSamples } from '../../kit/samples.ts';

export default {
  reads: { together: { 'transfers.transfers.link part': { id: '$transfer' } } },
} satisfies PluginSamples;
