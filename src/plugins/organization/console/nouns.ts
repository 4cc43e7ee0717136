import type { LocalizedText } from '#shared/text';

/** Kinds of record in the titles of forms. */
export const nouns = {
  dept: ['部门', 'department'],
  post: ['岗位', 'position'],
  user: ['用户', 'user'],
} as const satisfies Record<string, LocalizedText>;
