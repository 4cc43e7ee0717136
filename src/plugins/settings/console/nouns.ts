import type { LocalizedText } from '#shared/text';

/** Kinds of record in the titles of forms. */
export const nouns = {
  client: ['应用', 'client'],
  param: ['系统参数', 'parameter'],
} as const satisfies Record<string, LocalizedText>;
