import type { LocalizedText } from '#shared/text';

/** Kinds of record in the titles of forms. */
export const nouns = {
  dict: ['字典', 'dictionary'],
  dictEntries: ['字典项', 'entry'],
} as const satisfies Record<string, LocalizedText>;

/** Texts of the pages of dictionaries. */
export const dictMessages = {
  addBelow: ['新增下级', 'Add child'],
  configure: ['字典配置', 'Manage entries'],
  entriesOf: ['字典配置：{name}', 'Entries of {name}'],
} as const satisfies Record<string, LocalizedText>;
