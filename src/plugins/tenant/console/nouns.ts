import type { LocalizedText } from '#shared/text';

/** Kinds of record in the titles of forms. */
export const nouns = {
  package: ['租户产品包', 'tenant package'],
  tenant: ['租户', 'tenant'],
} as const satisfies Record<string, LocalizedText>;
