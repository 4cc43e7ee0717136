import type { BooleanInt } from '#shared/fields';

/** Field that enables the schedule of a job or a workflow; a disabled one can still be run on request. */
export const enabledField = {
  title: ['是否开启', 'Enabled'],
  labels: [
    ['暂停', 'Paused'],
    ['开启', 'Enabled'],
  ],
  default: 1,
  search: true,
  clearable: true,
  tones: { 0: 'neutral', 1: 'good' },
} as const satisfies Parameters<typeof BooleanInt>[0];
