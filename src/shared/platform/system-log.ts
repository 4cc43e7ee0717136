import { logServerFields, logTimeFields } from '../contract/common-fields.ts';
import { entity } from '../contract/contract.ts';
import { Code, Id, Nullable, Select, Text } from '../contract/fields.ts';

/** Severities of a log entry. */
export const logLevels = [
  ['info', ['信息', 'Info']],
  ['warn', ['警告', 'Warning']],
  ['error', ['错误', 'Error']],
] as const;

/** One of `logLevels`. */
export type LogLevel = (typeof logLevels)[number][0];

const brief = {
  id: Id(),
  ...logTimeFields,
  logLevel: Select({ title: ['级别', 'Level'], search: true, options: logLevels, tones: { info: 'neutral', warn: 'warning', error: 'danger' } }),
  logId: Text({ title: ['事件', 'Event'], maxLength: 64, search: true }),
  methodClass: Text({ title: ['模块', 'Module'], maxLength: 128, search: true }),
  createBy: Nullable(Text({ title: ['用户', 'User'], maxLength: 64, search: true })),
  ...logServerFields,
};

/** Entry of the system log, written by the server and its plugins. */
export const SystemLogEntry = entity('usual_log', { ...brief, logData: Code({ title: ['数据', 'Data'], language: 'json' }) }, { versioned: false });

/** A log entry as a list shows it, without the columns that can be long. */
export const SystemLogLine = entity('usual_log', brief, { versioned: false });
