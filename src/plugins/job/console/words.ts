import type { Words } from '#shared/text';

/** What the screens of jobs say beyond their fields. */
export const words = {
  pause: ['暂停', 'Pause'],
  resume: ['恢复', 'Resume'],
  paused: ['已暂停', 'Paused'],
  resumed: ['已恢复', 'Resumed'],
  run: ['运行一次', 'Run once'],
  runNow: ['运行', 'Run'],
  begun: ['已开始运行', 'It runs'],
  instanceParams: ['实例参数', 'Parameters of this run'],
  instanceParamsHelp: ['仅本次运行使用，可留空', 'For this run alone; may stay empty'],
  log: ['日志', 'Log'],
  runLog: ['运行日志', 'Log of the run'],
  noLines: ['暂无日志', 'Nothing has been logged.'],
  waitsForLines: ['等待日志…', 'Waiting for what it says…'],
  follows: ['实时跟随', 'Following'],
  over: ['运行已结束', 'The run has ended'],
  logFailed: ['日志读取失败，正在重试', 'The log could not be read. Trying again.'],
  stop: ['停止', 'Stop'],
  stopped: ['已停止', 'Stopped'],
  retry: ['重试', 'Try again'],
  retried: ['已重新运行', 'It runs again'],
  stopAsk: ['确定停止该运行?', 'Stop this run?'],
} as const satisfies Record<string, Words>;
