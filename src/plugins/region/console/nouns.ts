import type { LocalizedText } from '#shared/text';

/** Kinds of record in the titles of forms. */
export const nouns = {
  region: ['行政区划', 'region'],
} as const satisfies Record<string, LocalizedText>;
