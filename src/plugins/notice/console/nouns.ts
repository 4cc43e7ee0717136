import type { LocalizedText } from '#shared/text';

/** Kinds of record in the titles of forms. */
export const nouns = {
  notice: ['通知公告', 'notice'],
} as const satisfies Record<string, LocalizedText>;
