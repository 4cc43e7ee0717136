import { problem } from './errors.ts';

/** Why a screen stays locked, as the server alone says it. */
export const lockProblems = {
  wrongPassword: problem(400, ['密码不正确', 'The password is not correct.']),
  tryLater: problem(429, ['尝试次数过多，请在 {seconds} 秒后重试', 'Too many attempts. Try again in {seconds} seconds.']),
  ended: problem(401, ['尝试次数过多，请重新登录', 'Too many attempts. Sign in again.']),
};
