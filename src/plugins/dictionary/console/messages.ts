import type { LocalizedText } from '#shared/text';

/** Texts of the pages of dictionaries. */
export const dictMessages = {
  addBelow: ['新增下级', 'Add child'],
  configure: ['字典配置', 'Manage entries'],
  entriesOf: ['字典配置：{name}', 'Entries of {name}'],
} as const satisfies Record<string, LocalizedText>;
