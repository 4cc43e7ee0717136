import { Boolean as Bool, Integer, Array as List, Object as Shape, Unsafe } from 'typebox';
import { Done, get, Ids, Nothing, post } from './contract.ts';
import { problem } from './errors.ts';

const text = (maxLength: number) => Unsafe<string>({ type: 'string', maxLength });
const password = text(512);
const RecoveryCodes = Shape({ recoveryCodes: List(text(32)) });

/** One's own second factor: codes of an authenticator app (TOTP), and recovery codes for when it is lost. A password may be plain, md5 hex or SM2 hex. */
export const secondFactor = {
  status: get('/api/blade-auth/mfa/status', {
    title: ['二次验证状态', 'Second factor'],
    who: 'signedIn',
    input: Nothing,
    reply: Shape({ isEnrolled: Bool(), recoveryCodesLeft: Integer() }),
  }),
  /** Begins anew each time; nothing is asked at sign-in before `confirm`. `uri` is what the app reads as a QR code, `secret` the same to type (base32). */
  enrol: post('/api/blade-auth/mfa/enrol', {
    title: ['绑定验证器', 'Enrol an authenticator'],
    who: 'signedIn',
    input: Shape({ password }),
    reply: Shape({ secret: text(64), uri: text(512) }),
  }),
  /** The first code of the app. The recovery codes are told this once. */
  confirm: post('/api/blade-auth/mfa/confirm', {
    title: ['启用二次验证', 'Turn on the second factor'],
    who: 'signedIn',
    input: Shape({ code: text(16) }),
    reply: RecoveryCodes,
  }),
  disable: post('/api/blade-auth/mfa/disable', {
    title: ['关闭二次验证', 'Turn off the second factor'],
    who: 'signedIn',
    input: Shape({ password }),
    reply: Done,
  }),
  /** New recovery codes in place of the old ones. */
  renewCodes: post('/api/blade-auth/mfa/recovery-codes', {
    title: ['重新生成恢复码', 'New recovery codes'],
    who: 'signedIn',
    input: Shape({ password }),
    reply: RecoveryCodes,
  }),
};

/** Turns the second factor of users off who have lost both their app and their recovery codes. */
export const resetSecondFactor = post('/api/blade-system/user/reset-mfa', {
  title: ['重置二次验证', 'Reset second factors'],
  who: { code: 'user_reset_mfa' },
  input: Shape({ userIds: Ids.properties.ids }),
  reply: Done,
});

export const secondFactorProblems = {
  /** The token endpoint's: `error` is `mfa_required`, `mfa_token` what the grant `totp` goes on with, once, within five minutes. */
  required: problem(400, ['请输入二次验证码', 'Enter the code from your authenticator app.']),
  wrongCode: problem(400, ['二次验证码不正确', 'The verification code is not correct.']),
  /** The `mfa_token` is used up, has run out or was guessed at too often. */
  tokenSpent: problem(400, ['验证已过期，请重新登录', 'This sign-in has expired. Start again.']),
  notEnrolled: problem(409, ['尚未绑定验证器', 'No authenticator is enrolled.']),
  alreadyEnrolled: problem(409, ['已启用二次验证', 'The second factor is already on.']),
};
