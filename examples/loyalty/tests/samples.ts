import type { PluginSamples } from '#kit/server';

export default {
  rows: [{ entity: 'loyalty_award', values: { submissionId: '$approved_submission', memberId: '$admin', taskId: '$task' } }],
} satisfies PluginSamples;
