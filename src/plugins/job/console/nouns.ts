import type { LocalizedText } from '#shared/text';

/** Kinds of record in the titles of forms. */
export const nouns = {
  jobInfo: ['任务', 'job'],
  jobServer: ['任务服务', 'job server'],
  jobWorkflow: ['工作流', 'workflow'],
} as const satisfies Record<string, LocalizedText>;
