import * as Type from 'typebox';
import { ById, event, get, Ids, NoContent, NoInput, post } from '#shared/contract';
import { problem } from '#shared/errors';
import { Id } from '#shared/fields';
import { OneTimePassword } from '#shared/one-time-passwords';
import { FileLink, RowProblem, TransferRow } from '#shared/transfer-schemas';

const Part = Type.Unsafe<'result' | 'problems'>({ type: 'string', enum: ['result', 'problems'], default: 'result' });

/** Calls of the transfer centre: the user's own exports and imports of the last day. */
export const transfers = {
  list: get('/api/transfer/list', { title: ['导入导出', 'Exports and imports'], access: 'signedIn', input: NoInput, reply: Type.Array(TransferRow) }),
  detail: get('/api/transfer/detail', { title: ['导入导出详情', 'Export or import'], access: 'signedIn', input: ById, reply: TransferRow }),
  link: get('/api/transfer/link', { title: ['下载链接', 'Download link'], access: 'signedIn', input: Type.Object({ id: Id(), part: Part }), reply: FileLink }),
  problems: get('/api/transfer/problems', {
    title: ['导入错误', 'Import errors'],
    access: 'signedIn',
    input: ById,
    reply: Type.Array(RowProblem),
  }),
  /** Returns the one-time passwords of accounts that an import created, once, to the user who started it, until the import is removed. */
  passwords: post('/api/transfer/passwords', {
    title: ['导入用户的一次性密码', 'Import passwords'],
    access: 'signedIn',
    input: ById,
    reply: Type.Array(OneTimePassword),
  }),
  cancel: post('/api/transfer/cancel', { title: ['取消导入导出', 'Cancel an export or import'], access: 'signedIn', input: ById, reply: TransferRow }),
  retry: post('/api/transfer/retry', { title: ['重试导入导出', 'Retry an export or import'], access: 'signedIn', input: ById, reply: TransferRow }),
  remove: post('/api/transfer/remove', {
    title: ['删除导入导出记录', 'Delete exports and imports'],
    access: 'signedIn',
    effect: 'removed',
    input: Ids,
    reply: NoContent,
  }),
};

/** An export or import has ended, successfully or not; sent to the user who started it. */
export const TransferEnded = event<{ id: string }>('transfer:ended');

/** Refusals and failures of an export or import. */
export const transferProblems = {
  nothingToExport: problem(400, ['没有可导出的列', 'No columns can be exported.']),
  unreadableSheet: problem(400, ['文件无法读取，请使用 CSV 或 XLSX 文件', 'The file cannot be read. Use a CSV or XLSX file.']),
  tooManyRows: problem(400, ['数据不能超过 {count} 行', 'A file can have up to {count} rows.']),
  tooManyColumns: problem(400, ['数据不能超过 {count} 列', 'A file can have up to {count} columns.']),
  noRows: problem(400, ['文件中没有数据', 'The file has no rows.']),
  rowsRefused: problem(400, ['{count} 行数据有误，未导入任何数据', 'Nothing was imported. Rows with errors: {count}.']),
  interrupted: problem(500, ['任务多次中断，请重试', 'The task was interrupted several times. Try again.']),
  failed: problem(500, ['任务执行失败，请稍后重试', 'Something went wrong. Try again later.']),
  userQueueFull: problem(429, [
    '您已有 {count} 个导入导出任务在排队，请等待完成或取消后再试',
    'You already have {count} exports and imports queued. Wait for one to finish, or cancel one.',
  ]),
  tenantQueueFull: problem(429, ['当前排队的导入导出任务已达 {count} 个，请稍后再试', '{count} exports and imports are already queued. Try again later.']),
  stillRunning: problem(409, ['任务正在进行，请先取消', 'The task is still running. Cancel it first.']),
};
