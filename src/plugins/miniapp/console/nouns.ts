import type { LocalizedText } from '#shared/text';

/** Kinds of record in the titles of forms. */
export const nouns = {
  banner: ['轮播图', 'banner'],
} as const satisfies Record<string, LocalizedText>;
