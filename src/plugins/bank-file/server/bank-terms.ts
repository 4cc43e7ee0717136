/** Headings of the files that finance exchanges with a bank, and the words for results. */
export const bankTerms = {
  columns: { payNo: '付款单号', name: '收款人', account: '收款账号', bank: '开户行', amount: '金额(元)', remark: '附言' },
  results: { payNo: '付款单号', result: '结果', reason: '失败原因', serialNo: '银行流水号', amount: '金额(元)' },
  paid: '成功',
  failed: '失败',
} as const;
