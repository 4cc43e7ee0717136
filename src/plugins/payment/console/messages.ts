import type { LocalizedText } from '#shared/text';
import { receiptStates } from '../contract.ts';

/** Kinds of record in the titles of forms. */
export const nouns = {
  ledger: ['资金流水', 'ledger entry'],
  receipt: ['收退款', 'receipt'],
  run: ['付款批次', 'payment run'],
} as const satisfies Record<string, LocalizedText>;

/** Texts only the console uses. */
export const paymentMessages = {
  emptyTitle: ['没有待付款', 'Nothing to pay'],
  emptyHint: ['通过审核的提交在撤销时限过后出现在这里。', 'Approved work appears here once its approval can no longer be undone.'],
  noDifferences: ['没有差异', 'No differences'],
  noDifferencesHint: ['本地与渠道账单逐笔相符。', 'Our payouts and the statement of the provider agree one by one.'],
  noPostings: ['暂无资金流水', 'No postings yet'],
  noPostingsHint: ['收款、退款和付款入账后显示在这里。', 'Receipts, refunds and payments appear here once they are recorded.'],
  noPayouts: ['暂无付款单', 'No payouts yet'],
  noPayoutsHint: ['在「任务付款」发起的每笔付款显示在这里，直至到账。', 'Each payment requested under Payment appears here until it has arrived.'],
  noComparisons: ['暂无对账记录', 'No reconciliations yet'],
  noComparisonsHint: ['每天的付款在次日与渠道账单自动核对。', 'The payments of each day are compared with the statement of the provider the day after.'],
  check: ['核对账目', 'Check ledger'],
  balanced: ['账目平衡', 'Ledger balanced'],
  mismatches: ['发现 {count} 处不平，请前往对账查看', 'Imbalances found: {count}. See the reconciliation.'],
  pay: ['付款', 'Pay'],
  paySelected: ['批量付款', 'Pay selected'],
  payQuestion: ['确定付款 {count} 笔，共 {sum}？收款 {people} 人。', 'Pay {sum}? Payments: {count}, recipients: {people}.'],
  payQuestionWithoutAmount: ['确定付款 {count} 笔？收款 {people} 人。', 'Pay? Payments: {count}, recipients: {people}.'],
  tax: ['其中代扣税款 {withheld}，实付收款人 {net}。', 'Tax withheld: {withheld}. Payees receive {net}.'],
  manualTotal: ['共 {count} 笔，{sum}，收款 {people} 人。', 'Total: {sum}. Payments: {count}, recipients: {people}.'],
  manualTotalWithoutAmount: ['共 {count} 笔，收款 {people} 人。', 'Payments: {count}, recipients: {people}.'],
  manualRefused: ['「{title}」不能登记：{reason}', '“{title}” cannot be recorded: {reason}'],
  through: ['支付渠道：{channels}。', 'Through {channels}.'],
  channelCount: ['{channel} {count} 笔', '{channel} ({count})'],
  separator: ['、', ', '],
  leftOut: ['另有 {count} 项不能处理，完成后列出原因。', 'Payouts that cannot be processed: {count}. The reasons are shown afterwards.'],
  willWait: [
    '合计超过单人单日免复核额度，提交后由他人复核才付款。',
    'The total is above the daily approval threshold, so another person has to approve it first.',
  ],
  limitsApply: ['限额：{limits}。', 'Limits: {limits}.'],
  started: ['已受理，付款处理中', 'Payment is being processed'],
  awaitsApproval: ['金额超过免复核额度，等待他人复核', 'Above the approval threshold. Waiting for approval by another person.'],
  recordManual: ['登记', 'Record'],
  recordedManual: ['已登记，稍后入账', 'Recorded. It will be posted to the ledger shortly.'],
  reverseTitle: ['冲销线下付款', 'Reverse manual payment'],
  reversed: ['已冲销，资金已退回广告主余额', 'Reversed. The money was returned to the advertiser.'],
  cancel: ['取消', 'Cancel'],
  automatic: ['自动付款', 'Automatic'],
  approve: ['复核通过', 'Approve'],
  approveSelected: ['批量复核', 'Approve selected'],
  approveQuestion: [
    '确定复核通过 {count} 笔，共 {sum}？收款 {people} 人，通过后即付款。',
    'Approve {sum}? Payments: {count}, recipients: {people}. They are sent immediately.',
  ],
  approveQuestionWithoutAmount: [
    '确定复核通过 {count} 笔？收款 {people} 人，通过后即付款。',
    'Approve? Payments: {count}, recipients: {people}. They are sent immediately.',
  ],
  approved: ['已复核，付款处理中', 'Approved. Payment is being processed.'],
  reject: ['驳回', 'Reject'],
  rejectTitle: ['驳回付款', 'Reject payout'],
  proof: ['查看凭证', 'View proof'],
  rejected: ['已驳回，资金已退回广告主余额', 'Rejected. The money was returned to the advertiser.'],
  compare: ['核对', 'Compare'],
  compareDay: ['核对某日', 'Compare a day'],
  compareAgain: ['重新核对', 'Compare again'],
  compared: ['已核对', 'Compared'],
  notFinished: ['未结束', 'Not finished'],
  comparedEarly: ['当天还未结束，结束后会再次核对', 'The day is not over. It is compared again afterwards.'],
  noStatement: ['渠道还没有这一天的账单', 'The provider has no statement for this day yet'],
  matched: ['账单相符', 'Statement matched'],
  mismatched: ['有 {count} 笔待处理的差异', 'Differences to resolve: {count}'],
  differences: ['差异', 'Differences'],
  differencesOf: ['{day} 的差异', 'Differences on {day}'],
  query: ['查询渠道', 'Query provider'],
  settled: ['已平账', 'Difference settled'],
  stillDiffers: ['渠道返回 {answer}，差异仍存在', 'The provider returned {answer}. The difference remains.'],
  queryFirst: ['下一步：查询渠道', 'Next: query the provider'],
  checkThenClose: ['下一步：向渠道核实后，填写说明并关闭', 'Next: verify it with the provider, then close it with a remark'],
  waitThenClose: ['下一步：等次日账单，仍未出现则核实后关闭', 'Next: wait for the next statement, or verify it and close it with a remark'],
  close: ['关闭', 'Close'],
  closeTitle: ['关闭差异', 'Close difference'],
  closed: ['已关闭', 'Closed'],
} as const satisfies Record<string, LocalizedText>;

/** Texts about outcomes that people record. */
export const outcomeMessages = {
  paidTitle: ['登记 {payNo} 已付', 'Record {payNo} as paid'],
  paidNote: [
    '付款单 {payNo}：付给 {name} {sum}。请先凭单号在渠道的资金账单中查到这笔付款。登记后不能更改。',
    'Payment {payNo}: {sum} to {name}. Find its number in the provider’s fund bills first. A recorded outcome is final.',
  ],
  recordedPaid: ['付款单 {payNo} 已登记为已付', 'Payment {payNo} recorded as paid'],
  unpaidTitle: ['登记 {payNo} 未付', 'Record {payNo} as not paid'],
  unpaidNote: [
    '付款单 {payNo}：付给 {name} {sum}。{sum} 将退回广告主余额，可用新单号重新付款。请先确认渠道的资金账单中没有这笔付款，否则会重复付款。登记后不能更改。',
    'Payment {payNo}: {sum} to {name}. {sum} returns to the advertiser, and the work can be paid again under a new number. Make sure that the provider’s fund bills do not contain it, or it is paid twice. A recorded outcome is final.',
  ],
  recordedUnpaid: ['付款单 {payNo} 已登记为未付，资金已退回广告主余额', 'Payment {payNo} recorded as not paid. The money was returned to the advertiser.'],
  awaits: [
    '付款单 {payNo} 的结果已登记，超过免复核额度，等待他人复核',
    'Outcome of payment {payNo} recorded. It is above the approval threshold and waits for another person.',
  ],
  approve: ['复核通过', 'Approve'],
  approveTitle: ['复核 {payNo} 的登记结果', 'Approve the outcome of {payNo}'],
  approvePaidQuestion: [
    '{recorder} 登记付款单 {payNo}（付给 {name} {sum}）为已付：渠道单号 {no}，付款日期 {day}，说明“{remark}”。通过后入账，不能更改。',
    '{recorder} recorded payment {payNo} ({sum} to {name}) as paid: provider no. {no}, {day}, with the remark “{remark}”. Approving posts it to the ledger and is final.',
  ],
  approveUnpaidQuestion: [
    '{recorder} 登记付款单 {payNo}（付给 {name} {sum}）为未付，说明“{remark}”。通过后资金退回广告主余额，可重新付款，不能更改。',
    '{recorder} recorded payment {payNo} ({sum} to {name}) as not paid, with the remark “{remark}”. Approving returns the money to the advertiser, so that the work can be paid again, and is final.',
  ],
  approved: ['付款单 {payNo} 的结果已复核，已入账', 'Outcome of payment {payNo} approved and posted'],
  reject: ['驳回', 'Reject'],
  rejectTitle: ['驳回 {payNo} 的登记结果', 'Reject the outcome of {payNo}'],
  rejected: ['已驳回，付款单 {payNo} 仍在处理中', 'Rejected. Payment {payNo} stays in process.'],
} as const satisfies Record<string, LocalizedText>;

/** Limits that apply to a payment, by their names in the preview. */
export const limitMessages = {
  perPayment: ['单笔 {limit}', '{limit} per payment'],
  perPayeeDay: ['每位收款人每日 {limit}', '{limit} per payee a day'],
  perRun: ['每批次 {limit}', '{limit} per run'],
  leftToday: ['今日剩余 {limit}', '{limit} left today'],
  approvalAbove: ['您今日申请合计超过 {limit} 须他人复核', 'approval by another person once your requests today exceed {limit}'],
} as const satisfies Record<string, LocalizedText>;

/** Texts of receipts and limits. */
export const receiptMessages = {
  approve: ['复核通过', 'Approve'],
  approveQuestion: ['确定复核通过{kind} {amount}？通过后入账。', 'Approve this {kind} of {amount}? It will be posted to the ledger.'],
  approveQuestionWithoutAmount: ['确定复核通过这笔{kind}？通过后入账。', 'Approve this {kind}? It will be posted to the ledger.'],
  received: ['收款', 'receipt'],
  refunded: ['退款', 'refund'],
  reversed: ['冲销', 'reversal'],
  reverseTitle: ['冲销收退款', 'Reverse receipt or refund'],
  reversedNow: ['已冲销', 'Reversed'],
  approved: ['已复核，已入账', 'Approved and recorded'],
  reject: ['驳回', 'Reject'],
  rejectTitle: ['驳回收退款', 'Reject receipt or refund'],
  rejected: ['已驳回', 'Rejected'],
  recorded: ['已入账', 'Recorded'],
  awaits: ['超过免复核额度，已提交他人复核', 'Above the approval threshold. Waiting for approval by another person.'],
  failed: ['限额加载失败', 'Could not load the limits.'],
  retry: ['重试', 'Try again'],
  changes: ['变更记录', 'Changes'],
} as const satisfies Record<string, LocalizedText>;

/** Texts about the money of an advertiser. */
export const advertiserMessages = {
  money: ['资金', 'Money'],
  available: ['可用资金', 'Available'],
  formula: ['余额 + 授信 − 已冻结 − 待付', 'Balance + credit − reserved − owed'],
  low: ['低于预警线', 'Below the threshold'],
  explanation: ['{title}：{hint}', '{title}: {hint}'],
  overdrawn: ['可用不足', 'Over-committed'],
  receipt: ['登记收款', 'Record receipt'],
  record: ['登记', 'Record'],
  recorded: ['已登记', 'Recorded'],
  credit: ['调整授信', 'Change credit'],
  save: ['保存', 'Save'],
  saved: ['已保存', 'Saved'],
} as const satisfies Record<string, LocalizedText>;

/** Texts of monthly statements. */
export const statementMessages = {
  title: ['月度对账单', 'Monthly statements'],
  month: ['月份', 'Month'],
  print: ['打印', 'Print'],
  none: ['这个月没有往来', 'No business in this month'],
  of: ['{month} 对账单', 'Statement for {month}'],
  opening: ['期初余额', 'Opening balance'],
  received: ['收款', 'Received'],
  refunded: ['退款', 'Refunded'],
  paid: ['付款', 'Paid'],
  closing: ['期末余额', 'Closing balance'],
  day: ['日期', 'Date'],
  business: ['业务', 'Type'],
  note: ['任务或备注', 'Task or remark'],
  amount: ['金额', 'Amount'],
  balance: ['余额', 'Balance'],
} as const satisfies Record<string, LocalizedText>;

/** Texts of payment runs. */
export const runMessages = {
  emptyTitle: ['暂无付款批次', 'No payment runs yet'],
  emptyHint: ['每次付款请求形成一个批次，在这里复核和跟踪。', 'Each payment request becomes a run, which is approved and followed here.'],
  rejectTitle: ['驳回批次', 'Reject run'],
  retry: ['重付失败项', 'Retry failed'],
  retryQuestion: ['确定重新付款批次 {runNo} 中失败且尚未另行付款的部分？', 'Pay the failed payouts of run {runNo} again that were not paid since?'],
  close: ['标记已处理', 'Mark as handled'],
  closeQuestion: [
    '批次 {runNo} 中失败的 {count} 笔不再从这里重付，对应的提交仍在待付款中。',
    'The failed payouts of run {runNo} ({count}) are not paid again from here. Their work remains payable.',
  ],
  closed: ['已标记', 'Marked as handled'],
  shares: ['广告主构成', 'Shares of advertisers'],
  payees: ['收款人构成', 'Shares of payees'],
  all: ['查看全部付款单', 'Show all payouts'],
  advertiser: ['广告主', 'Advertiser'],
  payee: ['收款人', 'Payee'],
  payouts: ['笔数', 'Payouts'],
  people: ['收款人数', 'Payees'],
  amount: ['金额', 'Amount'],
  gross: ['应付金额', 'Gross'],
  withheld: ['代扣税款', 'Withheld tax'],
  net: ['实付金额', 'Net'],
  state: ['状态', 'Status'],
  stateCount: ['{state} {count}', '{state}: {count}'],
  findPayee: ['搜索收款人', 'Search payees'],
  noPayees: ['没有找到收款人', 'No payees found'],
  payeesFailed: ['收款人加载失败。', 'Could not load the payees.'],
  reload: ['重试', 'Try again'],
} as const satisfies Record<string, LocalizedText>;

/** Returns the message after a receipt was recorded; one above the limit waits for approval instead. */
export const recordedMessage =
  (message: LocalizedText) =>
  (answer: object): LocalizedText =>
    'state' in answer && answer.state === receiptStates.awaiting ? receiptMessages.awaits : message;
