import type { LocalizedText } from '#shared/text';

/** Kinds of record in the titles of forms. */
export const nouns = {
  region: ['行政区划', 'region'],
} as const satisfies Record<string, LocalizedText>;

/** Texts of the page of regions. */
export const regionMessages = {
  addBelow: ['新增下级', 'Add child'],
  testPicker: ['区划调试', 'Test region picker'],
  level: ['级别', 'Level'],
  selected: ['{path}，存储的编号为 {code}', '{path}. Stored as {code}.'],
} as const satisfies Record<string, LocalizedText>;
