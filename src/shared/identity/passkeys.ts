import type { Static } from 'typebox';
import * as Type from 'typebox';
import { ById, get, NoContent, NoInput, post } from '../contract/contract.ts';
import { problem } from '../contract/errors.ts';
import { Id, Text } from '../contract/fields.ts';

/** Number of passkeys that an account may have. */
export const maxPasskeys = 10;

const text = (maxLength: number) => Type.Unsafe<string>({ type: 'string', maxLength });
/** Credential that works once; it is never logged. */
const once = (maxLength: number) => Type.Unsafe<string>({ type: 'string', maxLength, writeOnly: true });

/** Answer of an authenticator to a challenge: the token of the attempt, and the credential in the JSON form of WebAuthn. */
export const passkeyAnswer = { attempt: once(64), credential: once(10_000) };

const name = Text({ title: ['名称', 'Name'], maxLength: 64 });

const Passkey = Type.Object({
  id: Id(),
  name,
  /** Host at which the passkey works. */
  host: text(255),
  createTime: text(19),
  /** Absent until its first use. */
  lastUsedAt: Type.Optional(text(19)),
});

/** A passkey of the caller. */
export type Passkey = Static<typeof Passkey>;

/** Schema of a challenge: `attempt` goes back with the credential, `options` to `navigator.credentials`, in the JSON form of WebAuthn. It is valid for five minutes, once. */
const challengeOf = <Options extends object>() =>
  Type.Object({ attempt: text(64), options: Type.Unsafe<Options>({ type: 'object', additionalProperties: true }) });
/** Challenge that an existing passkey signs. */
export const PasskeyChallenge = challengeOf<Omit<PublicKeyCredentialRequestOptionsJSON, 'extensions'>>();

/** Calls for the passkeys of the caller, and for signing in with them. */
export const passkeys = {
  list: get('/api/blade-auth/passkey/list', {
    title: ['我的通行密钥', 'My passkeys'],
    access: 'signedIn',
    input: NoInput,
    reply: Type.Object({
      /** False at an address where passkeys cannot be used. */
      isAvailable: Type.Boolean(),
      passkeys: Type.Array(Passkey),
    }),
  }),
  beginRegistration: post('/api/blade-auth/passkey/begin-registration', {
    title: ['添加通行密钥', 'Start adding a passkey'],
    access: 'signedIn',
    proof: 'fresh',
    input: NoInput,
    reply: challengeOf<Omit<PublicKeyCredentialCreationOptionsJSON, 'extensions'>>(),
  }),
  register: post('/api/blade-auth/passkey/register', {
    title: ['保存通行密钥', 'Add a passkey'],
    access: 'signedIn',
    input: Type.Object({ ...passkeyAnswer, name: Type.Optional(name) }),
    reply: Passkey,
  }),
  rename: post('/api/blade-auth/passkey/rename', {
    title: ['重命名通行密钥', 'Rename a passkey'],
    access: 'signedIn',
    input: Type.Object({ id: Id(), name }),
    reply: NoContent,
  }),
  remove: post('/api/blade-auth/passkey/remove', {
    title: ['删除通行密钥', 'Remove a passkey'],
    access: 'signedIn',
    proof: 'fresh',
    input: ById,
    reply: NoContent,
  }),
  /** Begins a sign-in by a passkey alone; the grant `passkey` completes it. */
  beginSignIn: post('/api/blade-auth/passkey/begin-sign-in', {
    title: ['通行密钥登录', 'Start signing in with a passkey'],
    access: 'open',
    input: NoInput,
    reply: PasskeyChallenge,
  }),
  /** Begins the second factor of a sign-in; the grant `passkey` with the same `mfa_token` completes it. */
  beginSecondFactor: post('/api/blade-auth/passkey/begin-second-factor', {
    title: ['通行密钥二次验证', 'Start two-step verification with a passkey'],
    access: 'open',
    input: Type.Object({ mfa_token: once(128) }),
    reply: PasskeyChallenge,
  }),
};

export const passkeyProblems = {
  unavailable: problem(400, ['当前地址不支持通行密钥', 'Passkeys cannot be used at this address.']),
  openElsewhere: problem(409, ['请从 {address} 打开控制台后再使用通行密钥', 'Open the console at {address} to use passkeys.']),
  /** The same answer for an unknown passkey, a wrong signature and an account that cannot sign in. */
  refused: problem(400, ['无法验证该通行密钥', 'This passkey could not be verified.']),
  /** The challenge has been used, has expired or belongs to another session. */
  expired: problem(400, ['验证已过期，请重试', 'This request has expired. Try again.']),
  registeredAlready: problem(409, ['该通行密钥已添加', 'This passkey has already been added.']),
  tooMany: problem(409, ['最多可添加 {max} 个通行密钥', 'You can add up to {max} passkeys.']),
};
