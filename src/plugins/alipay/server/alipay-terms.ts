/** Headings and words of an account bill in Alipay's own terms. */
export const accountBill = {
  columns: { providerNo: '业务流水号', payNo: '商户订单号', income: '收入金额', expense: '支出金额', kind: '业务类型' },
  transfer: '转账',
  fee: '收费',
} as const;
