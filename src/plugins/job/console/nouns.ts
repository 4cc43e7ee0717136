import type { LocalizedText } from '#shared/text';

/** Kinds of record in the titles of forms. */
export const nouns = {
  jobInfo: ['作业', 'job'],
  jobServer: ['作业服务', 'job server'],
  jobWorkflow: ['工作流', 'workflow'],
} as const satisfies Record<string, LocalizedText>;
