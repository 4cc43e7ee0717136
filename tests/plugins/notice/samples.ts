import type { PluginSamples } from '../../kit/samples.ts';

export default {
  rows: [{ entity: 'notice', values: { content: 'content', audience: 'all', releaseTime: '2026-01-02 03:04:05' } }],
} satisfies PluginSamples;
