import type { ZeroOne } from '#shared/fields';

/** Whether a job or a workflow runs by itself; what is paused still runs when somebody says so. */
export const enabledField = {
  title: ['是否开启', 'Enabled'],
  words: [
    ['暂停', 'Paused'],
    ['开启', 'Enabled'],
  ],
  default: 1,
  search: true,
  tones: { 0: 'neutral', 1: 'good' },
} as const satisfies Parameters<typeof ZeroOne>[0];
