import type { LocalizedText } from '#shared/text';

/** Texts of requests for an account, before sign-in. */
export const applicantMessages = {
  guestTitle: ['注册', 'Register'],
  guestHint: [
    '该{source}账号还没有对应的用户。提交申请，管理员通过后即可登录。',
    'This {source} account is not linked to a user yet. Request an account; you can sign in once an administrator approves it.',
  ],
  guestRefused: ['您上次的注册申请未通过，可重新提交申请。', 'Your last request was rejected. You can submit a new one.'],
  guestRefusedBecause: ['您上次的注册申请未通过：{reason}', 'Your last request was rejected: {reason}'],
  registerTitle: ['申请注册', 'Request an account'],
  registerHint: ['提交申请，管理员通过后即可登录。', 'You can sign in once an administrator approves your request.'],
  phone: ['手机号（选填）', 'Phone number (optional)'],
  email: ['邮箱（选填）', 'Email (optional)'],
  name: ['姓名', 'Name'],
  account: ['账号名称', 'Account name'],
  password: ['密码', 'Password'],
  passwordAgain: ['确认密码', 'Confirm password'],
  accountMissing: ['请先输入账号名称', 'Enter an account name first'],
  passwordMissing: ['请先输入密码', 'Enter a password first'],
  passwordsDiffer: ['两次密码输入不一致', 'The passwords do not match'],
  submit: ['提交申请', 'Request an account'],
  submitting: ['正在提交…', 'Sending…'],
  failed: ['提交失败', 'Could not submit the request'],
  doneTitle: ['注册提示', 'Registration'],
  done: ['注册申请已提交,请耐心等待管理员通过!', 'Your request has been submitted. An administrator will review it.'],
  confirm: ['确定', 'OK'],
  thirdParty: ['第三方', 'third-party'],
} as const satisfies Record<string, LocalizedText>;

/** Texts of the page on which registrations are reviewed. */
export const registrationMessages = {
  emptyTitle: ['暂无注册申请', 'No registrations yet'],
  emptyHint: ['用户自助注册后在这里审核。', 'People who register themselves are reviewed here.'],
  approve: ['通过', 'Approve'],
  refuse: ['拒绝', 'Reject'],
  approving: ['通过注册申请', 'Approve registration'],
  refusing: ['拒绝注册申请', 'Reject registration'],
  approved: ['已通过', 'Approved'],
  refused: ['已拒绝', 'Rejected'],
} as const satisfies Record<string, LocalizedText>;
