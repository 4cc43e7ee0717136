import type { LocalizedText } from '#shared/text';

/** Texts of the switch between views. */
export const switchMessages = {
  label: ['显示方式', 'Layout'],
  table: ['表格', 'Table'],
  board: ['看板：{title}', 'Board by {title}'],
  calendar: ['日历：{title}', 'Calendar by {title}'],
  group: ['分组：{title}', 'Group by {title}'],
} as const satisfies Record<string, LocalizedText>;
