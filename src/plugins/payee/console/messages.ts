import type { LocalizedText } from '#shared/text';

/** Texts of the pages of payees. */
export const payeeMessages = {
  verify: ['核验通过', 'Verify'],
  verified: ['已核验', 'Verified.'],
  verifyQuestion: [
    '确认已核对「{name}」的姓名与证件？核验后，付款可使用其支付宝和银行账户。',
    'Have you checked the name and the document of “{name}”? Once verified, payments can use their Alipay and bank accounts.',
  ],
  reject: ['核验驳回', 'Reject'],
  rejectTitle: ['驳回核验', 'Reject verification'],
  rejected: ['已驳回', 'Rejected.'],
  cancel: ['取消', 'Cancel'],
  reveal: ['查看完整号码', 'See full numbers'],
  revealReason: [
    '请输入您的登录密码。查看会记入该收款人的变更历史。',
    'Enter your sign-in password. The history of the payee records that you have seen the numbers.',
  ],
  password: ['登录密码', 'Password'],
  passwordMissing: ['请输入登录密码', 'Enter your password.'],
  show: ['查看', 'Show'],
  waiting: ['正在验证…', 'Checking…'],
  close: ['关闭', 'Close'],
  documentNo: ['证件号码', 'Document no.'],
  alipayAccount: ['支付宝账号', 'Alipay account'],
  bankCard: ['银行卡号', 'Card no.'],
  none: ['未填写', 'Not entered'],
  compile: ['编制报告', 'Compile report'],
  compiled: ['已编制', 'Compiled.'],
  recompile: ['重新编制', 'Compile again'],
  submitReport: ['标记已提交', 'Mark as submitted'],
  submitted: ['已标记为已提交', 'Marked as submitted.'],
  download: ['下载报送文件', 'Download file'],
  preparing: ['正在准备文件…', 'Preparing the file…'],
  fileName: ['涉税信息-{quarter}-第{version}版.csv', 'platform-report-{quarter}-v{version}.csv'],
  exceptions: ['查看异常', 'Exceptions'],
  differences: ['查看差异', 'Differences'],
} as const satisfies Record<string, LocalizedText>;
