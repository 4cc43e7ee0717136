import { problem } from '../contract/errors.ts';

/** States of an account request. */
export const registrationStatuses = { pending: 0, approved: 1, refused: 2 } as const;

/** Errors of an account request, and of other calls with its token. */
export const registrationProblems = {
  wrongIdentity: problem(400, ['第三方登陆信息错误!', 'The third-party account is not valid.']),
  wrongTenant: problem(400, ['租户信息错误!', 'The tenant is not valid.']),
  accountMissing: problem(400, ['请先输入账号名称', 'Enter an account name first']),
  passwordMissing: problem(400, ['请先输入密码', 'Enter a password first']),
  passwordsDiffer: problem(400, ['两次密码输入不一致', 'The passwords do not match']),
  accountTaken: problem(400, ['当前账号已被使用!', 'This account name is already taken.']),
  refused: problem(400, ['注册申请未通过', 'Your account request was rejected.']),
  rejectedWithReason: problem(400, ['注册申请未通过：{reason}', 'Your account request was rejected: {reason}']),
  closed: problem(403, ['未开放注册', 'Registration is closed.']),
  /** Refusal of every other call with the token of an unlinked identity. */
  guest: problem(403, ['请先完成注册', 'Request an account first.']),
};
