import * as Type from 'typebox';
import { get, Ids, NoContent, NoInput, post } from '../contract/contract.ts';
import { problem } from '../contract/errors.ts';
import { PasskeyChallenge, passkeyAnswer } from './passkeys.ts';

/** Second factors of an account: codes of an authenticator app, and passkeys. */
export type SecondFactorKind = 'totp' | 'passkey';

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
    reply: Type.Object({
      isEnrolled: Type.Boolean(),
      recoveryCodesLeft: Type.Integer(),
      /** True if the account has a passkey, which is a second factor too. */
      hasPasskey: Type.Boolean(),
      /** True if a role of the caller requires a second factor. */
      isRequired: Type.Boolean(),
    }),
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

/** Removes the second factors of users, passkeys included, who have lost their app and their recovery codes, or their passkeys. */
export const resetSecondFactor = post('/api/blade-system/user/reset-mfa', {
  title: ['重置二次验证', 'Reset two-step verification'],
  access: { code: 'user_reset_mfa' },
  input: Type.Object({ userIds: Ids.properties.ids }),
  reply: NoContent,
});

export const secondFactorProblems = {
  /** Error of the token endpoint: `error` is `mfa_required`, and `mfa_token` continues with the grant `totp` or `passkey`, once, within five minutes. */
  required: problem(400, ['请输入二次验证码', 'Enter the code from your authenticator app.']),
  wrongCode: problem(400, ['二次验证码不正确', 'Incorrect verification code.']),
  /** The `mfa_token` has been used, has expired or was guessed at too often. */
  tokenSpent: problem(400, ['验证已过期，请重新登录', 'This sign-in has expired. Start again.']),
  requiredByRole: problem(409, ['您的角色要求二次验证，请先设置另一种验证方式', 'Your role requires two-step verification. Set up another method first.']),
  notEnrolled: problem(409, ['尚未绑定验证器', 'No authenticator is linked.']),
  alreadyEnrolled: problem(409, ['已启用二次验证', 'Two-step verification is already on.']),
};

/** Seconds for which a proof of identity is fresh. */
export const freshProofSeconds = 300;

const once = (maxLength: number) => Type.Optional(Type.Unsafe<string>({ type: 'string', maxLength, writeOnly: true }));

/** Calls by which a signed-in user proves their identity again, as calls with `proof: 'fresh'` require it. Signing in is such a proof, too. */
export const freshProof = {
  /** Lists the proofs that the user has; none of them where an account has no password and no second factor: its user signs in again. */
  methods: get('/api/blade-auth/proof/methods', {
    title: ['可用的身份验证方式', 'Ways to confirm your identity'],
    access: 'signedIn',
    input: NoInput,
    reply: Type.Object({ password: Type.Boolean(), totp: Type.Boolean(), passkey: Type.Boolean() }),
  }),
  /** Begins a proof by a passkey. */
  begin: post('/api/blade-auth/proof/begin', {
    title: ['通行密钥验证', 'Start confirming with a passkey'],
    access: 'signedIn',
    input: NoInput,
    reply: PasskeyChallenge,
  }),
  /** Takes one proof: the password (plain, MD5 hex or SM2 hex), a code of the authenticator app, or the answer of a passkey. */
  confirm: post('/api/blade-auth/proof/confirm', {
    title: ['验证身份', 'Confirm your identity'],
    access: 'signedIn',
    input: Type.Object({
      password: once(512),
      code: once(16),
      attempt: Type.Optional(passkeyAnswer.attempt),
      credential: Type.Optional(passkeyAnswer.credential),
    }),
    reply: NoContent,
  }),
};

/** Refusals of a proof of identity. */
export const freshProofProblems = {
  nothingGiven: problem(400, ['请输入密码或验证码，或使用通行密钥', 'Enter your password or a code, or use a passkey.']),
};
