import { Object as Shape } from 'typebox';
import { crud, Done, entity, post, type RowOf } from '#shared/contract';
import { problem } from '#shared/errors';
import { Choice, DateOnly, DateTime, Id, Money, Optional, Text, Whole } from '#shared/fields';
import { reconciliationMenu } from './menus.ts';

const path = '/api/things-task/reconciliation';
const differencePath = `${path}/difference`;
const most = 1_000_000_000_000;

/** How far a day has come: its bill is not there yet, it agrees, it differs, or somebody has closed all that differed. */
export const dayStates = { waiting: 0, agrees: 1, differs: 2, closed: 3 } as const;

const count = (title: readonly [string, string]) => Whole({ title, minimum: 0, form: false });
const sum = (title: readonly [string, string]) => Money({ title, minimum: -most, form: false });
const words = (title: readonly [string, string], maxLength = 64) => Text({ title, maxLength, form: false });

/** A day's payouts against what its providers say they have paid on it. Amounts in 分. */
export const Reconciliation = entity('payment_reconciliation', {
  id: Id(),
  day: DateOnly({ title: ['账单日', 'Day'], search: true, sort: true }),
  state: Choice({
    title: ['结果', 'Outcome'],
    form: false,
    search: true,
    options: [
      [dayStates.waiting, ['待账单', 'Waiting for the bill']],
      [dayStates.agrees, ['相符', 'Agrees']],
      [dayStates.differs, ['有差异', 'Differs']],
      [dayStates.closed, ['已处理', 'Dealt with']],
    ],
    tones: { 0: 'warning', 1: 'good', 2: 'danger', 3: 'neutral' },
  }),
  ourCount: count(['我方笔数', 'Ours']),
  ourAmount: sum(['我方金额', 'Our amount']),
  theirCount: count(['渠道笔数', 'Theirs']),
  theirAmount: sum(['渠道金额', 'Their amount']),
  differences: count(['差异', 'Differences']),
  open: count(['待处理', 'Open']),
  comparedTime: Optional(DateTime({ title: ['核对时间', 'Compared'], form: false })),
  note: Optional(words(['说明', 'Note'], 255)),
});
export type ReconciliationRow = RowOf<typeof Reconciliation>;

/** How a bill differs. */
export const differenceKinds = { onlyOurs: 1, onlyTheirs: 2, amount: 3, state: 4 } as const;
/** Open until the bill agrees after all, or a person closes it and says why. */
export const differenceStates = { open: 0, settled: 1, closed: 2 } as const;

/** A bill of which we and its provider say different things. */
export const Difference = entity('payment_difference', {
  id: Id(),
  reconciliationId: Id({ title: ['对账编号', 'Reconciliation'], search: true }),
  day: DateOnly({ title: ['账单日', 'Day'], form: false, search: true }),
  kind: Choice({
    title: ['差异', 'Difference'],
    form: false,
    search: true,
    options: [
      [differenceKinds.onlyOurs, ['仅我方有', 'Only ours']],
      [differenceKinds.onlyTheirs, ['仅渠道有', 'Only theirs']],
      [differenceKinds.amount, ['金额不符', 'Amounts differ']],
      [differenceKinds.state, ['状态不符', 'States differ']],
    ],
    tones: { 1: 'warning', 2: 'danger', 3: 'danger', 4: 'warning' },
  }),
  payNo: Text({ title: ['单号', 'Bill'], maxLength: 64, form: false, search: true, copyable: true, width: 248 }),
  providerNo: Optional(Text({ title: ['渠道单号', 'Provider’s bill'], maxLength: 64, form: false, search: true, copyable: true })),
  ourAmount: Optional(sum(['我方金额', 'Our amount'])),
  theirAmount: Optional(sum(['渠道金额', 'Their amount'])),
  ourState: Optional(
    Choice({
      title: ['我方状态', 'Our state'],
      form: false,
      options: [
        [0, ['待复核', 'To approve']],
        [1, ['处理中', 'Under way']],
        [2, ['已付', 'Paid']],
        [3, ['失败', 'Failed']],
        [4, ['已驳回', 'Refused']],
      ],
    }),
  ),
  answer: Optional(words(['渠道答复', 'Provider says'], 255)),
  state: Choice({
    title: ['处理', 'Handling'],
    form: false,
    search: true,
    options: [
      [differenceStates.open, ['待处理', 'Open']],
      [differenceStates.settled, ['已平', 'Settled']],
      [differenceStates.closed, ['已关闭', 'Closed']],
    ],
    tones: { 0: 'warning', 1: 'good', 2: 'neutral' },
  }),
  remark: Optional(Text({ title: ['处理说明', 'What was found'], list: false })),
  handlerName: Optional(words(['处理人', 'Handled by'])),
  handledTime: Optional(DateTime({ title: ['处理时间', 'Handled'], form: false })),
});
export type DifferenceRow = RowOf<typeof Difference>;

const menu = reconciliationMenu.code;
const { list: days, export: daysExport } = crud(path, Reconciliation, { menu });
const { list: differences, export: differencesExport } = crud(differencePath, Difference, { menu });
const mayHandle = { code: 'reconciliation_handle' };

/** Days and how they came out. */
export const reconciliation = {
  entity: Reconciliation,
  menu,
  list: days,
  export: daysExport,
  /** Fetches the bill of a day and compares it, again where it was compared before; what was closed stays closed. */
  compare: post(`${path}/compare`, {
    title: ['核对', 'Compare'],
    who: { code: 'reconciliation_compare' },
    input: Shape({ day: Reconciliation.fields.day }),
    reply: Reconciliation.row,
  }),
};

export const difference = {
  entity: Difference,
  menu,
  list: differences,
  export: differencesExport,
  /** Asks the provider what has become of the bill, books that, and looks whether it agrees now. */
  query: post(`${differencePath}/query`, { title: ['查询渠道', 'Ask the provider'], who: mayHandle, input: Shape({ id: Id() }), reply: Difference.row }),
  /** By a person who says what they have found. */
  close: post(`${differencePath}/close`, {
    title: ['关闭差异', 'Close a difference'],
    who: mayHandle,
    input: Shape({ id: Id(), remark: Text({ title: ['处理说明', 'What was found'] }) }),
    reply: Done,
  }),
};

export const reconciliationProblems = {
  notYet: problem(400, ['只能核对今天及以前的账单', 'Only days up to today can be compared.']),
  notOurs: problem(409, ['本系统没有这笔付款，无从查询，请核实后关闭', 'This bill is not ours, so there is nothing to ask. Find out what it is and close it.']),
  notOpen: problem(409, ['该差异已处理', 'This difference was dealt with already.']),
};
