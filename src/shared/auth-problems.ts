import { problem } from './errors.ts';

/** Why signing in or a new password is refused, as the server alone says it; what consoles know as well is `authProblems`. */
export const signInProblems = {
  tooManyFailures: problem(400, ['用户登录失败次数过多', 'Too many failed sign-ins. Try again in 30 minutes.']),
  tooManyFailuresFromAddress: problem(400, ['用户登录失败次数过多，请稍后再试', 'Too many failed sign-ins. Try again later.']),
  unknownClient: problem(401, ['客户端认证失败', 'Client authentication failed.']),
  grantNotAllowed: problem(400, ['不支持的授权类型', 'This grant type is not allowed.']),
  refreshExpired: problem(400, ['登录已过期，请重新登录', 'Your session has expired. Sign in again.']),
  confirmationDiffers: problem(400, ['请输入正确的确认密码!', 'The new passwords do not match.']),
  weakPassword: problem(400, ['密码至少8位，且须同时包含字母和数字', 'Use at least 8 characters, with letters and digits.']),
  samePassword: problem(400, ['新密码不能与原密码相同', 'The new password must be different from the current one.']),
};
