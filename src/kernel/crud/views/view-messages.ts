import type { LocalizedText } from '#shared/text';

/** Texts of the views beside the table. */
export const viewMessages = {
  more: ['更多（{count}）', 'Show more ({count})'],
  none: ['未设置', 'Not set'],
  empty: ['暂无', 'No records'],
  move: ['移动「{name}」', 'Move “{name}”'],
  moveTo: ['移到：{title}', 'Move to {title}'],
  cannotMove: ['不能把「{name}」移到「{title}」', 'Cannot move “{name}” to “{title}”'],
  moved: ['已移到「{title}」', 'Moved to “{title}”'],
  failed: ['加载失败', 'Could not load'],
  retry: ['重试', 'Retry'],
  previousMonth: ['上个月', 'Previous month'],
  nextMonth: ['下个月', 'Next month'],
  previousWeek: ['上一周', 'Previous week'],
  nextWeek: ['下一周', 'Next week'],
  today: ['今天', 'Today'],
  month: ['月', 'Month'],
  week: ['周', 'Week'],
  span: ['时间范围', 'Range'],
  openDay: ['查看 {date} 所在的周', 'Show the week of {date}'],
  moreEvents: ['还有 {count} 条', '{count} more'],
  limitedCards: ['仅显示前 {count} 条，请缩小筛选范围。', 'Showing the first {count}. Narrow the filters to see the rest.'],
  limitedGroups: [
    '共 {total} 条，仅显示最大的 {count} 组，请缩小筛选范围。',
    'Showing the {count} largest groups of {total} records. Narrow the filters to see the rest.',
  ],
  limited: ['共 {total} 条，仅显示前 {count} 条，请缩小筛选范围。', 'Showing the first {count} of {total}. Narrow the filters to see the rest.'],
} as const satisfies Record<string, LocalizedText>;
