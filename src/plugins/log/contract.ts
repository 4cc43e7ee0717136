import * as Type from 'typebox';
import { ApiLogEntry, ApiLogLine } from '#shared/api-log';
import { type Entity, get, list, PageOf } from '#shared/contract';
import { ErrorLogEntry } from '#shared/error-log';
import { Id } from '#shared/fields';
import { LoginLogEntry } from '#shared/login-log';
import { SystemLogEntry, SystemLogLine } from '#shared/system-log';
import type { LocalizedText } from '#shared/text';

const path = '/api/blade-log';

/** Declares the detail call of one kind of log. */
const entryOf = <E extends Entity>(kind: string, entity: E, title: LocalizedText) =>
  get(`${path}/${kind}/detail`, { title, access: { code: `log_${kind}` }, input: Type.Object({ id: Id() }), reply: entity.row as E['row'] });

/** System log: entries of the server and its plugins about work without a request, newest first. */
export const usualLog = {
  entity: SystemLogEntry,
  menu: 'log_usual',
  list: list(`${path}/usual/list`, SystemLogLine, { code: 'log_usual' }, ['通用日志', 'System log']),
  detail: entryOf('usual', SystemLogEntry, ['通用日志详情', 'System log entry']),
};

/** Log of all calls, newest first. List rows omit parameters and changes, which the detail call returns. */
export const apiLog = {
  entity: ApiLogEntry,
  menu: 'log_api',
  list: list(`${path}/api/list`, ApiLogLine, { code: 'log_api' }, ['接口日志', 'API log']),
  detail: entryOf('api', ApiLogEntry, ['接口日志详情', 'API log entry']),
};

const { params: _params, stackTrace: _stackTrace, message: _message, ...brief } = ErrorLogEntry.row.properties;

/** Log of errors, newest first. List rows omit parameters, message and stack, which the detail call returns. */
export const errorLog = {
  entity: ErrorLogEntry,
  menu: 'log_error',
  list: {
    ...list(`${path}/error/list`, ErrorLogEntry, { code: 'log_error' }, ['错误日志', 'Error log']),
    reply: PageOf({ ...Type.Object(brief), required: Object.keys(brief) }),
  },
  detail: entryOf('error', ErrorLogEntry, ['错误日志详情', 'Error log entry']),
};

/** Log of sign-in attempts, newest first. */
export const loginLog = {
  entity: LoginLogEntry,
  menu: 'log_login',
  list: list(`${path}/login/list`, LoginLogEntry, { code: 'log_login' }, ['登录日志', 'Sign-in log']),
};
