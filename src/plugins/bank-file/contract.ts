import * as Type from 'typebox';
import { PaymentRun, Payout, providerStatusField, routingFields } from '#plugins/payment/contract';
import { atMost, BatchResult, ById, crud, entity, NoContent, post, type RowOf, withFreshProof, withoutCalls } from '#shared/contract';
import { problem } from '#shared/errors';
import { DateTime, Id, Integer, Money, Nullable, Select, Text } from '#shared/fields';
import { bankAccountMenu, bankFileLineMenu, bankFileMenu } from './menus.ts';

const accountPath = '/api/things-task/bank-account';
const filePath = '/api/things-task/bank-file';
const linePath = '/api/things-task/bank-file-line';
const fixedText = (title: readonly [string, string], maxLength = 64) => Text({ title, maxLength, form: false });
const count = (title: readonly [string, string]) => Integer({ title, minimum: 0, form: false });

/** Account of a tenant from which finance pays by files; at most one is enabled. */
export const BankAccount = entity(
  'bank_account',
  {
    id: Id(),
    name: Text({ title: ['名称', 'Name'], maxLength: 64, search: true }),
    bank: Text({ title: ['开户行', 'Bank'], maxLength: 64, search: true }),
    account: Text({ title: ['付款账号', 'Account no.'], maxLength: 34, pattern: '^[0-9A-Za-z]{6,34}$', immutable: true, search: true }),
    ...routingFields,
    status: providerStatusField,
    remark: Nullable(Text({ title: ['备注', 'Remark'], list: false })),
  },
  { rules: [atMost('minAmount', 'maxAmount')] },
);
export type BankAccountRow = RowOf<typeof BankAccount>;

const accounts = withoutCalls(
  withFreshProof(crud(accountPath, BankAccount, { menu: bankAccountMenu.code }), 'submit', 'bulkSubmit', 'remove'),
  'import',
  'export',
);
const mayEnable = { code: 'bank_account_enable' };

export const bankAccount = {
  ...accounts,
  /** Payouts that were not sent yet can use this account from now on. */
  enable: post(`${accountPath}/enable`, { title: ['启用', 'Enable'], access: mayEnable, proof: 'fresh', input: ById, reply: NoContent }),
  disable: post(`${accountPath}/disable`, { title: ['停用', 'Disable'], access: mayEnable, proof: 'fresh', input: ById, reply: NoContent }),
};

/** States of a file: it collects payouts until it is downloaded for the first time, waits for results, and has all of them. */
export const bankFileStates = { collecting: 0, downloaded: 1, done: 2 } as const;

/** File with the payouts of a run that finance pays at a bank. Payouts that arrive after the first download get a file of their own. */
export const BankFile = entity(
  'bank_file',
  {
    id: Id(),
    fileNo: Text({ title: ['文件编号', 'File no.'], maxLength: 32, form: false, search: true, copyable: true, width: 230 }),
    runNo: Text({ title: ['付款批次', 'Payment run'], maxLength: 32, form: false, search: true, copyable: true, width: 230 }),
    bankAccountId: Id({ title: ['付款账户编号', 'Bank account ID'], search: true }),
    state: Select({
      title: ['状态', 'Status'],
      form: false,
      search: true,
      tones: { 0: 'brand', 1: 'warning', 2: 'good' },
      options: [
        [bankFileStates.collecting, ['待下载', 'To download']],
        [bankFileStates.downloaded, ['待登记结果', 'Waiting for results']],
        [bankFileStates.done, ['已完成', 'Done']],
      ],
    }),
    lines: count(['笔数', 'Payouts']),
    amount: Money({ title: ['金额', 'Amount'], form: false, search: true }),
    paid: count(['已付', 'Paid']),
    failed: count(['失败', 'Failed']),
    downloads: count(['下载次数', 'Downloads']),
    downloadedTime: Nullable(DateTime({ title: ['首次下载', 'First download'], form: false, search: true })),
    /** SHA-256 of the content, which stays the same. */
    digest: Nullable(Text({ title: ['内容摘要', 'SHA-256'], maxLength: 64, form: false, list: false, copyable: true })),
  },
  { belongsTo: { runNo: { entity: PaymentRun, field: 'runNo' } } },
);
export type BankFileRow = RowOf<typeof BankFile>;

const { list: files } = crud(filePath, BankFile, { menu: bankFileMenu.code });

/** Largest size of a result file, in characters. */
export const maxResultLength = 500_000;

export const bankFile = {
  entity: BankFile,
  menu: bankFileMenu.code,
  list: files,
  /** Returns the file as CSV, the same on each call; its first download closes it. Each download is in the history of the file. */
  download: post(`${filePath}/download`, {
    title: ['下载', 'Download'],
    access: { code: 'bank_file_download' },
    proof: 'fresh',
    input: ById,
    reply: Type.Object({ name: Type.Unsafe<string>({ type: 'string' }), content: Type.Unsafe<string>({ type: 'string' }) }),
  }),
  /** Records the results in a file of the bank, each once. Lines with another amount, an unknown number or a contradiction are reported and change nothing. */
  settle: post(`${filePath}/settle`, {
    title: ['登记结果', 'Record results'],
    access: { code: 'bank_file_settle' },
    input: Type.Object({ id: Id(), content: Type.Unsafe<string>({ type: 'string', maxLength: maxResultLength }) }),
    reply: BatchResult,
  }),
};

/** Results of a line. */
export const lineOutcomes = { open: 0, paid: 1, failed: 2 } as const;

/** Payout in a bank file. */
export const BankFileLine = entity(
  'bank_file_line',
  {
    id: Id(),
    fileId: Id({ title: ['文件', 'File'], search: true }),
    payNo: Text({ title: ['付款单号', 'Payment no.'], maxLength: 32, form: false, search: true, copyable: true, width: 230 }),
    name: fixedText(['收款人', 'Payee']),
    accountMask: fixedText(['收款账号', 'Account']),
    bank: Nullable(fixedText(['开户行', 'Bank'])),
    amount: Money({ title: ['金额', 'Amount'], form: false, search: true }),
    outcome: Select({
      title: ['结果', 'Result'],
      form: false,
      search: true,
      tones: { 0: 'warning', 1: 'good', 2: 'danger' },
      options: [
        [lineOutcomes.open, ['待登记', 'Open']],
        [lineOutcomes.paid, ['已付', 'Paid']],
        [lineOutcomes.failed, ['失败', 'Failed']],
      ],
    }),
    serialNo: Nullable(Text({ title: ['银行流水号', 'Bank reference'], maxLength: 64, form: false, search: true })),
    reason: Nullable(Text({ title: ['失败原因', 'Reason'], maxLength: 200, form: false })),
    settledTime: Nullable(DateTime({ title: ['登记时间', 'Recorded'], form: false, search: true })),
  },
  { belongsTo: { fileId: { entity: BankFile }, payNo: { entity: Payout, field: 'payNo' } } },
);
export type BankFileLineRow = RowOf<typeof BankFileLine>;

const { list: lines } = crud(linePath, BankFileLine, { menu: bankFileLineMenu.code });
const maySettle = { code: 'bank_file_settle' };

export const bankFileLine = {
  entity: BankFileLine,
  menu: bankFileLineMenu.code,
  list: lines,
  markPaid: post(`${linePath}/paid`, {
    title: ['标记已付', 'Mark as paid'],
    access: maySettle,
    input: Type.Object({ id: Id(), serialNo: Type.Optional(BankFileLine.fields.serialNo) }),
    reply: NoContent,
  }),
  markFailed: post(`${linePath}/failed`, {
    title: ['标记失败', 'Mark as failed'],
    access: maySettle,
    input: Type.Object({ id: Id(), reason: Text({ title: ['失败原因', 'Reason'], maxLength: 200 }) }),
    reply: NoContent,
  }),
};

/** Reasons why a file or a result is refused. */
export const bankFileProblems = {
  notDownloaded: problem(409, ['文件 {fileNo} 还没有下载，不能登记结果', 'File {fileNo} has not been downloaded yet. Results cannot be recorded.']),
  noResults: problem(400, ['文件中没有「{payNo}」和「{result}」两列', 'The file has no columns “{payNo}” and “{result}”.']),
  unreadable: problem(400, ['文件无法读取，请检查引号是否成对', 'The file cannot be read. Check that every quote is closed.']),
  unknownLine: problem(404, ['文件中没有这笔付款', 'The file does not contain this payment.']),
  unknownResult: problem(400, ['结果「{result}」不能识别，请填写「{paid}」或「{failed}」', 'Unknown result “{result}”. Use “{paid}” or “{failed}”.']),
  wrongAmount: problem(409, ['金额 {amount} 与付款文件不符', 'The amount {amount} differs from the payment file.']),
  contradiction: problem(409, ['已登记相反的结果，不再修改', 'The opposite result has been recorded already and is not changed.']),
};
