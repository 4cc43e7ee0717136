import type { LocalizedText } from '#shared/text';

/** Kinds of record in the titles of forms. */
export const nouns = {
  dict: ['字典', 'dictionary'],
  dictEntries: ['字典项', 'entry'],
} as const satisfies Record<string, LocalizedText>;
