import * as Type from 'typebox';
import { ApiLogEntry, ApiLogLine } from '#shared/api-log';
import { type Call, type Entity, get, type ListInput, list, listProperties, NoInput, PageOf } from '#shared/contract';
import { ErrorLogEntry, ErrorLogLine } from '#shared/error-log';
import { Id } from '#shared/fields';
import { LoginLogEntry } from '#shared/login-log';
import { PersonalAccessEntry } from '#shared/personal-data';
import { SystemLogEntry, SystemLogLine } from '#shared/system-log';
import type { LocalizedText } from '#shared/text';

const path = '/api/blade-log';

/** Declares the detail call of one kind of log. */
const entryOf = <E extends Entity>(kind: string, entity: E, title: LocalizedText) =>
  get(`${path}/${kind}/detail`, { title, access: { code: `log_${kind}` }, input: Type.Object({ id: Id() }), reply: entity.row as E['row'] });

/** Adds the parameter with which a search continues before the time it has reached. */
const searchable = <Listed extends Call>(call: Listed): Listed => ({
  ...call,
  input: Type.Unsafe<ListInput>({ type: 'object', properties: { ...listProperties, searchedTo: { type: 'string' } } }),
});

/** Declares the call that tells where one kind of log is: `host` is the sink that receives it, if any; `stored` is true if the list has it. */
const destinationOf = (kind: string) =>
  get(`${path}/${kind}/destination`, {
    title: ['日志存储位置', 'Log destination'],
    access: { code: `log_${kind}` },
    input: NoInput,
    reply: Type.Object({ host: Type.Optional(Type.String()), stored: Type.Boolean() }),
  });

/** System log: entries of the server and its plugins about work without a request, newest first. */
export const usualLog = {
  entity: SystemLogEntry,
  menu: 'log_usual',
  list: searchable(list(`${path}/usual/list`, SystemLogLine, { code: 'log_usual' }, ['通用日志', 'System log'])),
  detail: entryOf('usual', SystemLogEntry, ['通用日志详情', 'System log entry']),
  destination: destinationOf('usual'),
};

/** Log of all calls, newest first. List rows omit parameters and changes, which the detail call returns. */
export const apiLog = {
  entity: ApiLogEntry,
  menu: 'log_api',
  list: searchable(list(`${path}/api/list`, ApiLogLine, { code: 'log_api' }, ['接口日志', 'API log'])),
  detail: entryOf('api', ApiLogEntry, ['接口日志详情', 'API log entry']),
  destination: destinationOf('api'),
};

/** Log of errors, newest first. List rows omit parameters, message and stack, which the detail call returns. */
export const errorLog = {
  entity: ErrorLogEntry,
  menu: 'log_error',
  list: {
    ...searchable(list(`${path}/error/list`, ErrorLogEntry, { code: 'log_error' }, ['错误日志', 'Error log'])),
    reply: PageOf(ErrorLogLine.row),
  },
  detail: entryOf('error', ErrorLogEntry, ['错误日志详情', 'Error log entry']),
  destination: destinationOf('error'),
};

/** Log of sign-in attempts, newest first. */
export const loginLog = {
  entity: LoginLogEntry,
  menu: 'log_login',
  list: list(`${path}/login/list`, LoginLogEntry, { code: 'log_login' }, ['登录日志', 'Sign-in log']),
};

/** Log of who has read personal data in the clear, or has exported or erased a person, newest first. */
export const personalLog = {
  entity: PersonalAccessEntry,
  menu: 'log_personal',
  list: list(`${path}/personal/list`, PersonalAccessEntry, { code: 'log_personal' }, ['个人信息日志', 'Personal data log']),
};
