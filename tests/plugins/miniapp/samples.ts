import type { PluginSamples } from '../../kit/samples.ts';

export default {
  rows: [{ entity: 'banner', values: { start_at: '2026-01-02 03:04:05', end_at: '2999-01-01 00:00:00' } }],
} satisfies PluginSamples;
