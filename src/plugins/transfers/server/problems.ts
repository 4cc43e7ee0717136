import { problem } from '#shared/errors';

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
