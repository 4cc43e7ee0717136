import { Array as List, Object as Shape, Unsafe } from 'typebox';
import { Done, event, get, Ids, Nothing, post } from './contract.ts';
import { problem } from './errors.ts';
import { Id } from './fields.ts';
import { FileLink, RowProblem, TransferRow } from './transfer-schemas.ts';

const OfOne = Shape({ id: Id() });
const Part = Unsafe<'result' | 'problems'>({ type: 'string', enum: ['result', 'problems'], default: 'result' });

/** The download centre: a user's own exports and imports of the last day. */
export const transfers = {
  list: get('/api/transfer/list', { title: ['导入导出', 'Transfers'], who: 'signedIn', input: Nothing, reply: List(TransferRow) }),
  detail: get('/api/transfer/detail', { title: ['导入导出详情', 'Transfer'], who: 'signedIn', input: OfOne, reply: TransferRow }),
  link: get('/api/transfer/link', { title: ['下载链接', 'Download link'], who: 'signedIn', input: Shape({ id: Id(), part: Part }), reply: FileLink }),
  problems: get('/api/transfer/problems', {
    title: ['导入错误', 'Problems of an import'],
    who: 'signedIn',
    input: OfOne,
    reply: List(RowProblem),
  }),
  cancel: post('/api/transfer/cancel', { title: ['取消导入导出', 'Cancel a transfer'], who: 'signedIn', input: OfOne, reply: TransferRow }),
  retry: post('/api/transfer/retry', { title: ['重试导入导出', 'Run a transfer again'], who: 'signedIn', input: OfOne, reply: TransferRow }),
  remove: post('/api/transfer/remove', { title: ['删除导入导出记录', 'Delete transfers'], who: 'signedIn', input: Ids, reply: Done }),
};

/** An export or import has ended, however it did; heard by whoever asked for it. */
export const TransferEnded = event<{ id: string }>('transfer:ended');

/** Why an export or import is refused or has failed. */
export const transferProblems = {
  nothingToExport: problem(400, ['没有可导出的列', 'No columns can be exported.']),
  unreadableSheet: problem(400, ['文件无法读取，请使用 CSV 或 XLSX 文件', 'Cannot read the file. Use CSV or XLSX.']),
  tooManyRows: problem(400, ['数据不能超过 {count} 行', 'A file can have up to {count} rows.']),
  noRows: problem(400, ['文件中没有数据', 'The file has no rows.']),
  rowsRefused: problem(400, ['{count} 行数据有误，未导入任何数据', 'Nothing was imported. Rows with errors: {count}.']),
  interrupted: problem(500, ['任务多次中断，请重试', 'Interrupted too often. Try again.']),
  failed: problem(500, ['任务执行失败，请稍后重试', 'Something went wrong. Try again later.']),
  stillRunning: problem(409, ['任务正在进行，请先取消', 'Still running. Cancel it first.']),
};
