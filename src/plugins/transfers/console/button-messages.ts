import type { LocalizedText } from '#shared/text';

/** Labels of the buttons in the top bar and above lists, apart from the other texts because every console loads them at the start. */
export const buttonMessages = {
  export: ['导出', 'Export'],
  import: ['导入', 'Import'],
  centre: ['下载中心', 'Download center'],
  centreRunning: ['下载中心，{count} 项正在进行', 'Download center, {count} running'],
} as const satisfies Record<string, LocalizedText>;
