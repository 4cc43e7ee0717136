import * as Type from 'typebox';
import { get, Ids, NoContent, NoInput, post } from '../contract/contract.ts';
import { problem } from '../contract/errors.ts';

const text = (maxLength: number) => Type.Unsafe<string>({ type: 'string', maxLength });
const password = text(512);
const RecoveryCodes = Type.Object({ recoveryCodes: Type.Array(text(32)) });

/**
 * Calls for the user's own second factor: codes of an authenticator app (TOTP), and recovery codes in case it is lost. A password can be plain, MD5 hex or SM2 hex.
 */
export const secondFactor = {
  status: get('/api/blade-auth/mfa/status', {
    title: ['二次验证状态', 'Two-step verification status'],
    access: 'signedIn',
    input: NoInput,
    reply: Type.Object({ isEnrolled: Type.Boolean(), recoveryCodesLeft: Type.Integer() }),
  }),
  /** Starts a new enrolment each time; sign-in does not require it before `confirm`. `uri` is the content of the QR code, `secret` the same to type (base32). */
  enrol: post('/api/blade-auth/mfa/enrol', {
    title: ['绑定验证器', 'Link an authenticator'],
    access: 'signedIn',
    input: Type.Object({ password }),
    reply: Type.Object({ secret: text(64), uri: text(512) }),
  }),
  /** Confirms the enrolment with the first code of the app. The reply is the only one with the recovery codes. */
  confirm: post('/api/blade-auth/mfa/confirm', {
    title: ['启用二次验证', 'Turn on two-step verification'],
    access: 'signedIn',
    input: Type.Object({ code: text(16) }),
    reply: RecoveryCodes,
  }),
  disable: post('/api/blade-auth/mfa/disable', {
    title: ['关闭二次验证', 'Turn off two-step verification'],
    access: 'signedIn',
    input: Type.Object({ password }),
    reply: NoContent,
  }),
  /** Replaces the recovery codes with new ones. */
  renewCodes: post('/api/blade-auth/mfa/recovery-codes', {
    title: ['重新生成恢复码', 'Generate new recovery codes'],
    access: 'signedIn',
    input: Type.Object({ password }),
    reply: RecoveryCodes,
  }),
};

/** Removes the second factor of users who have lost both their app and their recovery codes. */
export const resetSecondFactor = post('/api/blade-system/user/reset-mfa', {
  title: ['重置二次验证', 'Reset two-step verification'],
  access: { code: 'user_reset_mfa' },
  input: Type.Object({ userIds: Ids.properties.ids }),
  reply: NoContent,
});

export const secondFactorProblems = {
  /** Error of the token endpoint: `error` is `mfa_required`, and `mfa_token` continues with the grant `totp`, once, within five minutes. */
  required: problem(400, ['请输入二次验证码', 'Enter the code from your authenticator app.']),
  wrongCode: problem(400, ['二次验证码不正确', 'Incorrect verification code.']),
  /** The `mfa_token` has been used, has expired or was guessed at too often. */
  tokenSpent: problem(400, ['验证已过期，请重新登录', 'This sign-in has expired. Start again.']),
  notEnrolled: problem(409, ['尚未绑定验证器', 'No authenticator is linked.']),
  alreadyEnrolled: problem(409, ['已启用二次验证', 'Two-step verification is already on.']),
};
