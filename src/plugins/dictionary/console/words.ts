import type { Words } from '#shared/text';

/** Texts only the console uses. */
export const consoleWords = {
  addBelow: ['新增下级', 'Add child'],
} as const satisfies Record<string, Words>;
