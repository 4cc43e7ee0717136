import { problem } from '../contract/errors.ts';

/** Refusals of an unlock that only the server uses. */
export const lockProblems = {
  wrongPassword: problem(400, ['密码不正确', 'Incorrect password.']),
  tryLater: problem(429, ['尝试次数过多，请在 {seconds} 秒后重试', 'Too many attempts. Try again in {seconds} seconds.']),
  ended: problem(401, ['尝试次数过多，请重新登录', 'Too many attempts. Sign in again.']),
};
