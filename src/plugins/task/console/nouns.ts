import type { LocalizedText } from '#shared/text';

/** Kinds of record in the titles of forms. */
export const nouns = {
  task: ['任务', 'task'],
} as const satisfies Record<string, LocalizedText>;
