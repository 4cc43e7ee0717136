/** Fields WeChat Pay requires for commission (scene 1005), in its own terms. */
export const reportFields = { job: '岗位类型', reward: '报酬说明' } as const;

/** Column names of a fund bill in WeChat Pay's own terms; the brackets around the amount's unit are full-width or half-width. */
export const fundBill = {
  columns: { providerNo: '微信支付业务单号', business: '业务名称', kind: '业务类型', direction: '收支类型', amount: '收支金额', voucher: '业务凭证号' },
  summary: '资金流水总笔数',
  expense: '支出',
  transfer: '转账',
  fee: '手续费',
} as const;
