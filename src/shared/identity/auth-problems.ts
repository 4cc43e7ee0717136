import { problem } from '../contract/errors.ts';

/** Refusals of a sign-in or of a new password that only the server uses. Those that consoles use too are in `authProblems`. */
export const signInProblems = {
  tooManyFailures: problem(400, ['用户登录失败次数过多', 'Too many failed sign-ins. Try again in 30 minutes.']),
  tooManyFailuresFromAddress: problem(400, ['用户登录失败次数过多，请稍后再试', 'Too many failed sign-ins. Try again later.']),
  tooSoon: problem(429, ['登录失败次数过多，请在 {seconds} 秒后重试', 'Too many failed sign-ins. Try again in {seconds} seconds.']),
  initialPasswordExpired: problem(400, ['初始密码已过期，请联系管理员重置', 'The initial password has expired. Ask an administrator to reset it.']),
  tenantSuspended: problem(400, ['租户已停用，请联系平台管理员', 'This tenant is suspended. Contact the platform administrator.']),
  tenantSuspendedContact: problem(400, ['租户已停用，请联系{contact}', 'This tenant is suspended. Contact {contact}.']),
  tenantExpired: problem(400, ['租户已到期，请联系平台管理员', 'This tenant has expired. Contact the platform administrator.']),
  tenantExpiredContact: problem(400, ['租户已到期，请联系{contact}', 'This tenant has expired. Contact {contact}.']),
  unknownClient: problem(401, ['客户端认证失败', 'Client authentication failed.']),
  grantNotAllowed: problem(400, ['不支持的授权类型', 'This grant type is not allowed.']),
  refreshExpired: problem(400, ['登录已过期，请重新登录', 'Your session has expired. Sign in again.']),
  confirmationDiffers: problem(400, ['请输入正确的确认密码!', 'The new passwords do not match.']),
  samePassword: problem(400, ['新密码不能与原密码相同', 'The new password must be different from the current one.']),
};

/** Refusals of the management of other users' accounts. */
export const accountProblems = {
  beyond: problem(403, ['不能管理权限高于自己的用户', 'You cannot manage a user with more permissions than you.']),
};

/** Refusals of a token in the query of a download. */
export const queryTokenProblems = {
  longLived: problem(403, [
    '该应用的访问令牌有效期超过 1 小时，不能用于下载地址，请通过请求头传递',
    'Access tokens of this client are valid for more than 1 hour. Send them in a header, not in the download URL.',
  ]),
};

/** Refusals of a sign-in method. */
export const signInMethodProblems = {
  wrongCode: problem(400, ['验证码不正确', 'Incorrect code.']),
  sendTooOften: problem(429, ['发送过于频繁，请在 {seconds} 秒后重试', 'Too many messages. Try again in {seconds} seconds.']),
  notOffered: problem(400, ['未开通该登录方式', 'This sign-in method is not available.']),
  staleState: problem(400, ['登录请求已失效，请重新发起', 'This sign-in has expired. Start again.']),
  providerRefused: problem(400, ['第三方登录失败，请重试', 'Third-party sign-in failed. Try again.']),
  providerUnavailable: problem(503, ['第三方服务暂不可用，请稍后再试', 'The provider is temporarily unavailable. Try again later.']),
  invalidGrant: problem(400, ['授权码无效或已过期', 'The authorization code is not valid or has expired.']),
  notLinked: problem(400, ['该账号尚未关联本系统用户', 'This account is not linked to a user.']),
  awaitingApproval: problem(400, ['账号正在等待管理员审核', 'Your account is pending approval by an administrator.']),
};
