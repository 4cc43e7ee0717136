import type { LocalizedText } from '#shared/text';

/** Texts of the button that runs all filtered runs again. */
export const replayMessages = {
  button: ['重跑筛选结果', 'Rerun filtered runs'],
  replay: ['重新运行', 'Run again'],
  question: ['重新运行筛选出的 {count} 个实例？', 'Run the {count} filtered runs again?'],
  job: ['{name}（{count} 个）', '{name} ({count})'],
  separator: ['、', ', '],
  moreJobs: ['另外 {count} 个作业', '{count} more jobs'],
  none: ['筛选结果中没有可重新运行的实例。', 'None of the filtered runs can run again.'],
  unfinished: ['{count} 个尚未结束，不会重新运行。', '{count} have not ended and are left out.'],
  disabled: ['{count} 个的作业已暂停或删除，不会重新运行。', '{count} belong to paused or deleted jobs and are left out.'],
  truncated: ['筛选结果过多，仅重新运行最近的 {count} 个。', 'Too many runs match. Only the latest {count} run again.'],
  started: ['已重新运行 {count} 个实例', 'Runs started: {count}'],
  failed: ['{count} 个未能重新运行，如「{name}」：{reason}', 'Could not run again: {count}, such as “{name}”: {reason}'],
} as const satisfies Record<string, LocalizedText>;
