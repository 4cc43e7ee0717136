import * as Type from 'typebox';
import { ById, event, get, Ids, NoContent, NoInput, post } from '#shared/contract';
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
