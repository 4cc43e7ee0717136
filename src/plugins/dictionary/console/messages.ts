import type { LocalizedText } from '#shared/text';

/** Texts only the console uses. */
export const consoleMessages = {
  addBelow: ['新增下级', 'Add child'],
} as const satisfies Record<string, LocalizedText>;
