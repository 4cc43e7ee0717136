/** What WeChat Pay wants to know of commission (scene 1005), by its own names. */
export const reported = { job: '岗位类型', reward: '报酬说明' } as const;

/** What a fund bill calls its columns, by its own names; the brackets after the amount are of either width. */
export const fundBill = {
  columns: { providerNo: '微信支付业务单号', business: '业务名称', kind: '业务类型', direction: '收支类型', amount: '收支金额', voucher: '业务凭证号' },
  summary: '资金流水总笔数',
  spent: '支出',
  transfer: '转账',
  fee: '手续费',
} as const;
