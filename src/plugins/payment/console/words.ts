import type { Words } from '#shared/text';

/** What only the console says of money. */
export const words = {
  check: ['核对账目', 'Check'],
  sound: ['账目平衡', 'Everything adds up'],
  faults: ['发现 {count} 处不平，请查看对账', '{count} figures do not add up. See the reconciliation'],
  pay: ['付款', 'Pay'],
  payChosen: ['批量付款', 'Pay selected'],
  payQuestion: ['确定为所选 {count} 条提交付款？', 'Pay for the selected submissions ({count})?'],
  begun: ['已受理，付款处理中', 'Payment is under way'],
  awaits: ['金额超过免复核额度，等待他人复核', 'It is above the limit and waits for somebody else’s approval'],
  cancel: ['取消', 'Cancel'],
  chooseFirst: ['请选择至少一条数据', 'Select at least one row'],
  approve: ['复核通过', 'Approve'],
  approveChosen: ['批量复核', 'Approve selected'],
  approved: ['已复核，付款处理中', 'Approved; payment is under way'],
  refuse: ['驳回', 'Refuse'],
  refusing: ['驳回付款', 'Refuse a payout'],
  refused: ['已驳回，资金已退回广告主余额', 'Refused; the money is the advertiser’s again'],
  enable: ['启用', 'Turn on'],
  disable: ['停用', 'Turn off'],
  switched: ['设置成功', 'Done'],
} as const satisfies Record<string, Words>;
