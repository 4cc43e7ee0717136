import { Object as Shape, type Static, Unsafe } from 'typebox';
import { Id } from '../contract/fields.ts';

const text = Unsafe<string>({ type: 'string' });

/** A generated password, sent once to the user who created or reset the account. The account must change it at the first sign-in. */
export const OneTimePassword = Shape({
  id: Id(),
  account: text,
  realName: text,
  password: text,
  /** Expiry; the password cannot be used to sign in afterwards. */
  expiresAt: text,
});
/** A generated password in a reply. */
export type OneTimePassword = Static<typeof OneTimePassword>;
