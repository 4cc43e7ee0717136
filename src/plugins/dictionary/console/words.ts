import type { Words } from '#shared/text';

/** What only the console says of dictionaries. */
export const consoleWords = {
  addBelow: ['新增下级', 'Add child entry'],
} as const satisfies Record<string, Words>;
