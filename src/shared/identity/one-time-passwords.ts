import type { Static } from 'typebox';
import * as Type from 'typebox';
import { Id } from '../contract/fields.ts';

const text = Type.Unsafe<string>({ type: 'string' });

/** A generated password, sent once to the user who created or reset the account. The account must change it at the first sign-in. */
export const OneTimePassword = Type.Object({
  id: Id(),
  account: text,
  realName: text,
  password: text,
  /** Expiry; the password cannot be used to sign in afterwards. */
  expiresAt: text,
  /** True if a new one can be e-mailed instead: the account has an address, and the tenant sends e-mail. */
  isMailable: Type.Optional(Type.Boolean()),
});
/** A generated password in a reply. */
export type OneTimePassword = Static<typeof OneTimePassword>;
