import * as Type from 'typebox';
import { crud, entity, NoContent, post, type RowOf } from '#shared/contract';
import { problem } from '#shared/errors';
import { DateOnly, DateTime, Id, Integer, Money, Nullable, Select, Text } from '#shared/fields';
import { reconciliationMenu } from './menus.ts';

const path = '/api/things-task/reconciliation';
const differencePath = `${path}/difference`;
const maxAmount = 1_000_000_000_000;

/** States of a day: no statement yet, no differences, open differences, or all differences closed by a person. */
export const dayStates = { awaitingStatement: 0, matched: 1, mismatched: 2, resolved: 3 } as const;

const count = (title: readonly [string, string]) => Integer({ title, minimum: 0, form: false });
const sum = (title: readonly [string, string]) => Money({ title, minimum: -maxAmount, form: false });
const readOnlyText = (title: readonly [string, string], maxLength = 64) => Text({ title, maxLength, form: false });

/** Comparison of a day's payouts with the providers' statements. Amounts in 分. */
export const Reconciliation = entity('payment_reconciliation', {
  id: Id(),
  day: DateOnly({ title: ['账单日', 'Day'], search: true, sort: true }),
  state: Select({
    title: ['结果', 'Result'],
    form: false,
    search: true,
    options: [
      [dayStates.awaitingStatement, ['待账单', 'Waiting for statement']],
      [dayStates.matched, ['相符', 'Matched']],
      [dayStates.mismatched, ['有差异', 'Mismatched']],
      [dayStates.resolved, ['已处理', 'Resolved']],
    ],
    tones: { 0: 'warning', 1: 'good', 2: 'danger', 3: 'neutral' },
  }),
  ourCount: count(['本地笔数', 'Local count']),
  ourAmount: sum(['本地金额', 'Local amount']),
  theirCount: count(['渠道笔数', 'Provider count']),
  theirAmount: sum(['渠道金额', 'Provider amount']),
  differences: count(['差异', 'Differences']),
  open: count(['待处理', 'Open']),
  comparedTime: Nullable(DateTime({ title: ['核对时间', 'Compared'], form: false })),
  note: Nullable(readOnlyText(['说明', 'Note'], 255)),
});
export type ReconciliationRow = RowOf<typeof Reconciliation>;

/** Kinds of differences. */
export const differenceKinds = { localOnly: 1, providerOnly: 2, amount: 3, state: 4 } as const;
/** A difference is open until the statement matches, or until a person closes it with a remark. */
export const differenceStates = { open: 0, settled: 1, closed: 2 } as const;

/** Payout for which our record and the provider's statement differ. */
export const Difference = entity('payment_difference', {
  id: Id(),
  reconciliationId: Id({ title: ['对账编号', 'Reconciliation ID'], search: true }),
  day: DateOnly({ title: ['账单日', 'Day'], form: false, search: true }),
  kind: Select({
    title: ['差异', 'Difference'],
    form: false,
    search: true,
    options: [
      [differenceKinds.localOnly, ['仅本地存在', 'Local only']],
      [differenceKinds.providerOnly, ['仅渠道存在', 'Provider only']],
      [differenceKinds.amount, ['金额不符', 'Amount mismatch']],
      [differenceKinds.state, ['状态不符', 'Status mismatch']],
    ],
    tones: { 1: 'warning', 2: 'danger', 3: 'danger', 4: 'warning' },
  }),
  payNo: Text({ title: ['单号', 'Payment no.'], maxLength: 64, form: false, search: true, copyable: true, width: 248 }),
  providerNo: Nullable(Text({ title: ['渠道单号', 'Provider no.'], maxLength: 64, form: false, search: true, copyable: true })),
  ourAmount: Nullable(sum(['本地金额', 'Local amount'])),
  theirAmount: Nullable(sum(['渠道金额', 'Provider amount'])),
  ourState: Nullable(
    Select({
      title: ['本地状态', 'Local status'],
      form: false,
      options: [
        [0, ['待复核', 'Pending approval']],
        [1, ['处理中', 'Processing']],
        [2, ['已付', 'Paid']],
        [3, ['失败', 'Failed']],
        [4, ['已驳回', 'Rejected']],
      ],
    }),
  ),
  answer: Nullable(readOnlyText(['渠道返回', 'Provider response'], 255)),
  state: Select({
    title: ['处理', 'Resolution'],
    form: false,
    search: true,
    options: [
      [differenceStates.open, ['待处理', 'Open']],
      [differenceStates.settled, ['已平', 'Settled']],
      [differenceStates.closed, ['已关闭', 'Closed']],
    ],
    tones: { 0: 'warning', 1: 'good', 2: 'neutral' },
  }),
  remark: Nullable(Text({ title: ['处理说明', 'Resolution note'], list: false })),
  handlerName: Nullable(readOnlyText(['处理人', 'Resolved by'])),
  handledTime: Nullable(DateTime({ title: ['处理时间', 'Resolved'], form: false })),
});
export type DifferenceRow = RowOf<typeof Difference>;

const menu = reconciliationMenu.code;
const { list: days, export: daysExport } = crud(path, Reconciliation, { menu });
const { list: differences, export: differencesExport } = crud(differencePath, Difference, { menu });
const mayHandle = { code: 'reconciliation_handle' };

/** Calls on the compared days. */
export const reconciliation = {
  entity: Reconciliation,
  menu,
  list: days,
  export: daysExport,
  /** Downloads the statement of a day and compares it, also repeatedly; closed differences stay closed. */
  compare: post(`${path}/compare`, {
    title: ['核对', 'Compare'],
    access: { code: 'reconciliation_compare' },
    input: Type.Object({ day: Reconciliation.fields.day }),
    reply: Reconciliation.row,
  }),
};

export const difference = {
  entity: Difference,
  menu,
  list: differences,
  export: differencesExport,
  /** Queries the provider about the payout, books the result and compares it again. */
  query: post(`${differencePath}/query`, { title: ['查询渠道', 'Query provider'], access: mayHandle, input: Type.Object({ id: Id() }), reply: Difference.row }),
  /** Requires a remark with the findings. */
  close: post(`${differencePath}/close`, {
    title: ['关闭差异', 'Close difference'],
    access: mayHandle,
    input: Type.Object({ id: Id(), remark: Text({ title: ['处理说明', 'Resolution note'] }) }),
    reply: NoContent,
  }),
};

export const reconciliationProblems = {
  emptyStatement: problem(409, [
    '渠道账单为空，但当天有已付款项；账单可能尚未生成，稍后自动重试',
    'The provider’s statement is empty although payouts of the day are paid. It may be late and is fetched again.',
  ]),
  futureDay: problem(400, ['只能核对今天及以前的账单', 'Only statements up to today can be compared.']),
  unknownPayment: problem(409, [
    '系统中不存在这笔付款，无法查询，请核实后关闭',
    'This payment does not exist in the system and cannot be queried. Verify it, then close the difference.',
  ]),
  notOpen: problem(409, ['该差异已处理', 'This difference has already been resolved.']),
};
