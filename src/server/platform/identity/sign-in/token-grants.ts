import type { TokenInput, TokenReply } from '#shared/auth';
import type { Origin } from '../../http/route.ts';
import type { Account } from '../accounts/accounts.ts';
import type { Client } from '../accounts/clients.ts';

/** Result of a sign-in method: the account it has proved, or a reply that signs no one in. */
export type Entry =
  | {
      readonly account: Account;
      /** True if nothing else must be proved, including a second factor. */
      readonly isWhole?: boolean;
      /** Receives the id of a session that begins immediately, before the reply is sent. */
      readonly begun?: (sid: string) => Promise<void>;
    }
  | { readonly reply: TokenReply };

/** A grant of the token endpoint besides account and password. The client has already been allowed to use it; all other checks are the method's own. */
export type TokenGrant = (input: TokenInput, asked: { readonly client: Client; readonly origin: Origin }) => Promise<Entry>;

/** Sign-in methods by grant name. */
export type TokenGrants = ReadonlyMap<string, TokenGrant>;
