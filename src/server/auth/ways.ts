import type { TokenInput, TokenReply } from '#shared/auth';
import type { Origin } from '../http/route.ts';
import type { Account } from './accounts.ts';
import type { Client } from './clients.ts';

/** Whom a way has proved, or what it answers without anybody being signed in. */
export type Entry =
  | {
      readonly account: Account;
      /** True: everything there was to prove has been proved, a second factor included. */
      readonly isWhole?: boolean;
      /** Told the id of a session that begins at once, before the reply leaves. */
      readonly begun?: (sid: string) => Promise<void>;
    }
  | { readonly reply: TokenReply };

/** A grant of the token endpoint beside account and password. The client may use it; everything else is the way's to judge, and to refuse. */
export type Way = (input: TokenInput, asked: { readonly client: Client; readonly origin: Origin }) => Promise<Entry>;

/** The ways by the names of their grants. */
export type Ways = ReadonlyMap<string, Way>;
