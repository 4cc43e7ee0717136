import { problem } from '#shared/errors';

/** Reasons why payments, channels and ledger entries are refused. */
export const paymentProblems = {
  noAdvertiser: problem(400, ['广告主不存在', 'Advertiser not found.']),
  zeroAmount: problem(400, ['金额不能为零', 'The amount cannot be zero.']),
  refundTooLarge: problem(409, [
    '最多可退 {balance} 元：余额中已冻结和待付的部分不能退',
    'At most {balance} yuan can be refunded: money that is reserved or owed stays.',
  ]),
  publishingRefused: problem(409, ['广告主「{name}」资金不足，不能发布', '{name} has insufficient funds. The task cannot be published.']),
  notReversible: problem(409, ['只有收款和退款可以冲销', 'Only receipts and refunds can be reversed.']),
  alreadyReversed: problem(409, ['这笔业务已经冲销', 'This entry has already been reversed.']),
  publishingBeyondFunds: problem(409, [
    '广告主「{name}」资金不足：发布需冻结 {needed} 元，可用 {available} 元',
    'Insufficient funds of {name}: publishing reserves {needed} yuan, {available} yuan are available.',
  ]),
  statementTooLong: problem(409, ['这个月超过 {limit} 行，请从资金流水导出', 'This month has more than {limit} lines. Export the ledger instead.']),
  receiptNotAwaiting: problem(409, ['{receiptNo} 不在待复核状态', '{receiptNo} is not pending approval.']),
  ownReceipt: problem(403, ['不能复核自己登记的收退款', 'You cannot approve a receipt that you recorded.']),
  notApproved: problem(409, ['「{title}」未通过审核，不能付款', '“{title}” has not been approved and cannot be paid.']),
  tooEarly: problem(409, [
    '「{title}」刚通过审核，{seconds} 秒内仍可撤销，请稍后付款',
    'The approval of “{title}” can still be undone for {seconds} seconds. Pay later.',
  ]),
  noLinkedAccount: problem(409, ['{name} 没有绑定微信，不能付款', '{name} has no linked WeChat account and cannot be paid.']),
  alreadyPaid: problem(409, ['「{title}」已付款或正在付款', '“{title}” has been paid or is being paid.']),
  totalChanged: problem(409, ['可付款的内容已有变化，请按新的合计重新确认', 'The payments have changed. Confirm the new total.']),
  ownWork: problem(403, ['不能为自己付款', 'You cannot pay yourself.']),
  overSingle: problem(409, ['单笔付款不能超过 {limit} 元', 'A single payment cannot exceed {limit} yuan.']),
  overPayeeDay: problem(409, ['{name} 今日收款将超过每人每日上限 {limit} 元', '{name} would receive more than the daily limit of {limit} yuan.']),
  overRun: problem(409, ['批次合计不能超过 {limit} 元', 'A run cannot exceed {limit} yuan.']),
  overDaily: problem(409, ['今日付款将超过上限 {limit} 元', 'Today’s payments would exceed the limit of {limit} yuan.']),
  insufficientFunds: problem(409, [
    '广告主「{name}」余额不足：需要 {needed} 元，可用 {available} 元',
    'Insufficient balance of {name}: {needed} yuan required, {available} yuan available.',
  ]),
  notAwaiting: problem(409, ['付款单 {payNo} 不在待复核状态', 'Payment {payNo} is not pending approval.']),
  runNotAwaiting: problem(409, ['批次 {runNo} 没有待复核的付款', 'Run {runNo} has no payouts pending approval.']),
  runNotFailed: problem(409, ['批次 {runNo} 没有未处理的失败付款', 'Run {runNo} has no failed payouts left.']),
  ownRequest: problem(403, ['不能复核自己申请的付款', 'You cannot approve your own payment request.']),
  wrongPrivateKey: problem(400, ['商户私钥不是 PEM 格式的 RSA 私钥', 'The merchant private key must be an RSA private key in PEM format.']),
  noChannel: problem(409, ['没有启用的支付配置，请先启用一个', 'No payment provider is enabled. Enable one first.']),
  noRoute: problem(409, ['没有启用的支付配置能支付这笔付款', 'No enabled payment provider can carry out this payment.']),
  unreachable: problem(409, [
    '没有启用的支付配置能向 {name} 支付 {amount} 元，请检查收款账户和单笔金额限制',
    'No enabled payment provider can pay {amount} yuan to {name}. Check the account and the limits of the providers.',
  ]),
  channelEnabled: problem(409, ['启用中的支付配置不能删除', 'An enabled payment provider cannot be deleted.']),
  hasOpenPayouts: problem(409, ['该配置还有 {count} 笔处理中的付款，不能删除', 'This provider still has {count} payments in process. Delete it later.']),
  merchantChanged: problem(409, ['商户号和应用编号不能修改，请新增一个支付配置', 'The merchant and app IDs cannot be changed. Add another provider instead.']),
  invalidNotice: problem(401, ['通知无效', 'Invalid notification.']),
};
