import { sql } from 'drizzle-orm';
import type { TokenReply } from '#shared/auth';
import { signInMethodProblems } from '#shared/auth-problems';
import { ApiError } from '#shared/errors';
import type { Database } from '../../../data/database/database.ts';
import { queryRows } from '../../../data/database/rows.ts';
import { accountStatus } from '../accounts/account-status.ts';
import { type Account, findAccountById } from '../accounts/accounts.ts';
import { registrationError, registrationOfIdentity } from '../accounts/applicants.ts';
import type { Tokens } from '../sessions/tokens.ts';
import type { StoredIdentity } from './identities.ts';

/** Seconds an unlinked identity has to request an account. */
const registrationSeconds = 1800;

/** Dependencies of `OAuthCallbacks`. */
export interface OAuthCallbacksDeps {
  readonly db: Database;
  readonly tokens: Tokens;
  /** True if the holder of an unlinked identity can request an account. */
  readonly offersAccounts: (tenantId: string) => Promise<boolean>;
}

/** Handles a verified external identity: it signs in the linked user, or becomes an unlinked identity that may request an account. */
export class OAuthCallbacks {
  constructor(private readonly deps: OAuthCallbacksDeps) {}

  /** Returns the account of an identity, or the reply for one that is not linked. */
  async complete(tenantId: string, identity: StoredIdentity): Promise<{ readonly account: Account } | { readonly reply: TokenReply }> {
    if (identity.userId === null) return { reply: await this.unlinkedReply(tenantId, identity) };
    const account = await findAccountById(this.deps.db, tenantId, identity.userId);
    if (account) return { account };
    throw new ApiError((await this.isAwaiting(tenantId, identity.userId)) ? signInMethodProblems.awaitingApproval : signInMethodProblems.notLinked);
  }

  private async isAwaiting(tenantId: string, userId: string): Promise<boolean> {
    const { db } = this.deps;
    const awaiting = await db.read({ tenantId }, () =>
      queryRows(db, sql`select 1 from user_account where id = ${userId} and is_deleted = 0 and status = ${accountStatus.awaitingApproval}`),
    );
    return awaiting.length > 0;
  }

  /**
   * Builds the reply that BladeX-compatible clients expect, with the outcome of an earlier request: no user id, the identity's own id, and a token that only allows
   * requesting an account.
   */
  private async unlinkedReply(tenantId: string, { id, name, avatar, source }: StoredIdentity): Promise<TokenReply> {
    const { db, tokens, offersAccounts } = this.deps;
    const registration = await db.read({ tenantId }, () => registrationOfIdentity(db, id));
    if (!(await offersAccounts(tenantId))) throw registration?.isRefused ? registrationError(registration) : new ApiError(signInMethodProblems.notLinked);
    const token = await tokens.signUnlinkedIdentity({ tenant_id: tenantId, oauth_id: id }, registrationSeconds);
    return {
      ...emptyTokenReply(tenantId),
      oauth_id: id,
      nick_name: name,
      avatar,
      access_token: token,
      expires_in: registrationSeconds,
      detail: { type: source, ...(registration?.isRefused ? { refused: registration.reason } : {}) },
    };
  }
}

/** Builds a reply of the token endpoint that signs no one in. */
export function emptyTokenReply(tenantId: string): TokenReply {
  return {
    tenant_id: tenantId,
    user_id: '',
    dept_id: '',
    post_id: '',
    role_id: '',
    oauth_id: '',
    account: '',
    user_name: '',
    nick_name: '',
    real_name: '',
    role_name: '',
    avatar: '',
    access_token: '',
    refresh_token: '',
    token_type: 'bearer',
    expires_in: 0,
    is_admin: 1,
    depart_id: '',
    company_id: '',
    password_expired: false,
    detail: { type: 'web' },
  };
}
