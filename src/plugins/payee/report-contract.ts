import type { Static } from 'typebox';
import * as Type from 'typebox';
import { ById, crud, entity, NoContent, post, type RowOf, withFreshProof, withoutCalls } from '#shared/contract';
import { problem } from '#shared/errors';
import { DateOnly, DateTime, Id, Integer, LongText, Money, Nullable, Reference, Secret, Select, Text } from '#shared/fields';
import { platformReportMenu, platformReportRowMenu, reportFormatMenu } from './menus.ts';

const path = '/api/things-task/platform-report';
const maxAmount = 1_000_000_000_000;
const count = (title: readonly [string, string]) => Integer({ title, minimum: 0, form: false });
const sum = (title: readonly [string, string]) => Money({ title, minimum: -maxAmount, form: false });
const readOnlyText = (title: readonly [string, string], maxLength = 64) => Text({ title, maxLength, form: false });

export const reportStates = { draft: 0, submitted: 1 } as const;

/** Report of a quarter on the identity and the income of payees. A submitted version never changes but for its receipt number; a correction is another version. Amounts in 分. */
export const PlatformReport = entity(
  'platform_report',
  {
    id: Id(),
    quarter: Text({
      title: ['所属季度', 'Quarter'],
      maxLength: 7,
      pattern: '^\\d{4}-Q[1-4]$',
      search: true,
      sort: true,
      placeholder: ['2026-Q3', '2026-Q3'],
      help: ['已提交的季度会生成更正版本', 'A quarter that has been submitted gets a new version'],
    }),
    versionNo: Integer({ title: ['版次', 'Version no.'], minimum: 1, form: false }),
    state: Select({
      title: ['状态', 'Status'],
      form: false,
      search: true,
      options: [
        [reportStates.draft, ['草稿', 'Draft']],
        [reportStates.submitted, ['已提交', 'Submitted']],
      ],
      tones: { 0: 'warning', 1: 'good' },
    }),
    payees: count(['人数', 'Payees']),
    exceptions: count(['异常', 'Exceptions']),
    changes: count(['与已提交版本的差异', 'Changes since last submission']),
    payouts: count(['笔数', 'Payouts']),
    gross: sum(['收入总额', 'Gross']),
    withheld: sum(['代扣税款', 'Withheld tax']),
    ledgerGross: sum(['账面金额', 'Ledger']),
    difference: sum(['账实差额', 'Difference from ledger']),
    checksum: Text({ title: ['校验值', 'Checksum'], maxLength: 64, form: false, copyable: true }),
    columns: LongText({ title: ['文件列', 'Columns of the file'], maxLength: 4000, form: false, list: false }),
    submitterName: Nullable(readOnlyText(['提交人', 'Submitted by'])),
    submittedTime: Nullable(DateTime({ title: ['提交时间', 'Submitted'], form: false, search: true })),
    receiptNo: Nullable(
      Text({ title: ['受理编号', 'Receipt no.'], maxLength: 64, help: ['税务机关返回的编号', 'Number that the tax authority has returned'] }),
    ),
    receiptRecorder: Nullable(readOnlyText(['受理编号登记人', 'Receipt no. recorded by'])),
    receiptTime: Nullable(DateTime({ title: ['受理编号登记时间', 'Receipt no. recorded'], form: false })),
    downloads: count(['下载次数', 'Downloads']),
  },
  { archivable: false },
);
export type PlatformReportRow = RowOf<typeof PlatformReport>;

/** Reasons for which the row of a payee needs attention. */
export const rowProblems = { none: 0, incomplete: 1, unverified: 2 } as const;
/** Difference of a row to the last submitted version; `dropped` rows are no longer part of the quarter. */
export const rowChanges = { none: 0, added: 1, changed: 2, dropped: 3 } as const;

const listReports = crud(path, PlatformReport, { menu: platformReportMenu.code });

/** Payee in a report with the identity of the moment at which it was compiled. */
export const ReportedPayee = entity(
  'platform_report_row',
  {
    id: Id(),
    reportId: Reference({
      title: ['报告', 'Report'],
      from: { call: listReports.list, paged: true, title: 'quarter' },
      onDelete: 'refuse',
      form: false,
      filter: true,
      list: false,
    }),
    userId: Reference({
      title: ['收款人', 'Payee'],
      from: { call: { path: '/api/things-task/payee/list' }, entity: 'payee', paged: true, title: 'nickName' },
      onDelete: 'refuse',
      form: false,
      search: true,
    }),
    name: Nullable(Text({ title: ['真实姓名', 'Verified name'], maxLength: 64, form: false, search: true })),
    problem: Select({
      title: ['异常', 'Exception'],
      form: false,
      search: true,
      options: [
        [rowProblems.none, ['无', 'None']],
        [rowProblems.incomplete, ['身份信息不完整', 'Identity is incomplete']],
        [rowProblems.unverified, ['未核验', 'Not verified']],
      ],
      tones: { 0: 'neutral', 1: 'danger', 2: 'warning' },
    }),
    documentKind: Nullable(Integer({ title: ['证件类型', 'Document'], form: false, list: false })),
    documentNo: Nullable(Secret({ title: ['证件号码', 'Document no.'], form: false })),
    documentMask: Nullable(readOnlyText(['证件号码', 'Document no.'])),
    payouts: count(['笔数', 'Payouts']),
    gross: sum(['收入总额', 'Gross']),
    withheld: sum(['代扣税款', 'Withheld tax']),
    change: Select({
      title: ['与已提交版本', 'Compared with submitted'],
      form: false,
      search: true,
      options: [
        [rowChanges.none, ['相同', 'Same']],
        [rowChanges.added, ['新增', 'Added']],
        [rowChanges.changed, ['变更', 'Changed']],
        [rowChanges.dropped, ['移除', 'Removed']],
      ],
      tones: { 0: 'neutral', 1: 'brand', 2: 'warning', 3: 'danger' },
    }),
    grossBefore: Nullable(sum(['原收入总额', 'Gross before'])),
    withheldBefore: Nullable(sum(['原代扣税款', 'Withheld before'])),
  },
  { versioned: false },
);

/** Columns of the file of a report, from a day on; the format that is valid at the end of the quarter applies. */
export const ReportFormat = entity('report_format', {
  id: Id(),
  name: Text({ title: ['名称', 'Name'], maxLength: 64, search: true }),
  validFrom: DateOnly({ title: ['生效日期', 'Valid from'], search: true, sort: true }),
  columns: LongText({
    title: ['文件列', 'Columns'],
    maxLength: 4000,
    list: false,
    help: [
      '每行一列：列名 = 字段，或 列名 = "固定文字"。字段：no name documentKind documentCode documentNo userId quarter from to payouts gross withheld net；金额为元，加 :fen 为分',
      'One column per line: heading = field, or heading = "constant". Fields: no name documentKind documentCode documentNo userId quarter from to payouts gross withheld net. Amounts are in yuan; with :fen in hundredths',
    ],
  }),
  source: LongText({ title: ['依据', 'Source'], maxLength: 500, help: ['文号、附件与表号', 'Document, annex and table'] }),
});

const { list, detail, export: exported, history, historyExport } = listReports;
const mayAdd = { code: 'platform_report_add' };
const text = Type.Unsafe<string>({ type: 'string' });

const FilePart = Type.Object({ text, next: Type.Unsafe<string | null>({ type: ['string', 'null'] }) });
/** Part of the file of a report as CSV; `next` is null with the last one. */
export type FilePart = Static<typeof FilePart>;

export const platformReport = {
  entity: PlatformReport,
  menu: platformReportMenu.code,
  list,
  detail,
  export: exported,
  ...(history && historyExport ? { history, historyExport } : {}),
  /** Compiles the quarter: a new version, or the draft again. */
  compile: post(`${path}/compile`, {
    title: ['编制', 'Compile'],
    access: mayAdd,
    input: Type.Object({ quarter: PlatformReport.fields.quarter }),
    reply: PlatformReport.row,
  }),
  /** Records that a draft has been submitted to the authority; from then on it never changes. */
  submitted: post(`${path}/submitted`, {
    title: ['标记已提交', 'Mark as submitted'],
    access: { code: 'platform_report_submit' },
    input: Type.Object({ id: Id(), receiptNo: Type.Optional(PlatformReport.fields.receiptNo) }),
    reply: NoContent,
  }),
  /** Records the number with which the authority has confirmed a submitted report, or corrects it; the version stays as it is. */
  receipt: post(`${path}/receipt`, {
    title: ['登记受理编号', 'Record receipt no.'],
    access: { code: 'platform_report_submit' },
    input: Type.Object({ id: Id(), receiptNo: Text({ title: ['受理编号', 'Receipt no.'], maxLength: 64 }) }),
    reply: NoContent,
  }),
  /** Returns the file, part by part, with numbers in the clear. Its history records each download. */
  file: post(`${path}/file`, {
    title: ['下载报送文件', 'Download the file'],
    access: { code: 'platform_report_file' },
    proof: 'fresh',
    input: Type.Object({ ...ById.properties, after: Type.Optional(Type.Unsafe<string>({ type: 'string', maxLength: 1000 })) }),
    reply: FilePart,
  }),
};

const rows = withFreshProof(crud(`${path}-row`, ReportedPayee, { menu: platformReportRowMenu.code }), 'export');
export const reportedPayee = { entity: ReportedPayee, menu: platformReportRowMenu.code, list: rows.list, export: rows.export };

export const reportFormat = withoutCalls(crud('/api/things-task/report-format', ReportFormat, { menu: reportFormatMenu.code }), 'import', 'export');

export const reportProblems = {
  futureQuarter: problem(400, ['该季度尚未开始', 'This quarter has not started yet.']),
  notOver: problem(409, ['{quarter} 尚未结束，不能提交', '{quarter} has not ended yet and cannot be submitted.']),
  notDownloaded: problem(409, ['请先下载本版报送文件，再标记为已提交', 'Download the file of this version before you mark it as submitted.']),
  notSubmitted: problem(409, ['该版本尚未提交，不能登记受理编号', 'This version has not been submitted yet, so a receipt number cannot be recorded.']),
  notDraft: problem(409, ['该版本已提交', 'This version has already been submitted.']),
  mismatch: problem(409, [
    '收入与账面相差 {difference} 元，请先核对账目再重新编制',
    'Income and the ledger differ by {difference} yuan. Check the ledger, then compile the report again.',
  ]),
  stale: problem(409, ['编制后数据已有变化，请重新编制', 'The data has changed since the report was compiled. Compile it again.']),
  corrupt: problem(409, ['报告内容与校验值不符，不能下载', 'The report does not match its checksum and cannot be downloaded.']),
  wrongColumn: problem(400, ['文件列第 {line} 行不正确，应为：列名 = 字段', 'Line {line} of the columns is not valid. Enter: heading = field']),
};
