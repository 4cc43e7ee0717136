import type { LocalizedText } from '#shared/text';

/** Kinds of record in the titles of forms. */
export const nouns = {
  oss: ['对象存储', 'object storage'],
} as const satisfies Record<string, LocalizedText>;
