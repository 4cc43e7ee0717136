import { sql } from 'drizzle-orm';
import type { TokenReply } from '#shared/auth';
import { Refusal } from '#shared/errors';
import { wayProblems } from '#shared/sign-in-ways';
import { accountStatus } from '../auth/account-status.ts';
import { accountOf } from '../auth/accounts.ts';
import { toldOf, wishOf } from '../auth/applicants.ts';
import { guestSeconds } from '../auth/guests.ts';
import type { Tokens } from '../auth/tokens.ts';
import type { Entry } from '../auth/ways.ts';
import type { Database } from '../db/database.ts';
import { rowsOf } from '../rows.ts';
import type { StoredIdentity } from '../social/identities.ts';
import type { OpenDoors } from './open-doors.ts';

/** What becomes of somebody whose identity elsewhere has been proved: the user it is linked to, or a guest who may ask for an account. */
export class Arrivals {
  constructor(private readonly parts: { readonly db: Database; readonly tokens: Tokens; readonly doors: OpenDoors }) {}

  async enter(tenantId: string, identity: StoredIdentity): Promise<Entry> {
    if (identity.userId === null) return { reply: await this.guestReply(tenantId, identity) };
    const account = await accountOf(this.parts.db, tenantId, identity.userId);
    if (account) return { account };
    throw new Refusal((await this.isAwaiting(tenantId, identity.userId)) ? wayProblems.awaitingApproval : wayProblems.notLinked);
  }

  private async isAwaiting(tenantId: string, userId: string): Promise<boolean> {
    const { db } = this.parts;
    const awaiting = await db.read({ tenantId }, () =>
      rowsOf(db, sql`select 1 from user_account where id = ${userId} and is_deleted = 0 and status = ${accountStatus.awaitingApproval}`),
    );
    return awaiting.length > 0;
  }

  /** As the family knows it, with what became of an earlier wish: no user id, the identity's own, and a token that is good for nothing but asking for an account. */
  private async guestReply(tenantId: string, { id, name, avatar, source }: StoredIdentity): Promise<TokenReply> {
    const { db, tokens, doors } = this.parts;
    const wish = await db.read({ tenantId }, () => wishOf(db, id));
    if (!(await doors.guests())) throw wish?.isRefused ? toldOf(wish) : new Refusal(wayProblems.notLinked);
    const token = await tokens.guest({ tenant_id: tenantId, oauth_id: id }, guestSeconds);
    return {
      ...nobodyReply(tenantId),
      oauth_id: id,
      nick_name: name,
      avatar,
      access_token: token,
      expires_in: guestSeconds,
      detail: { type: source, ...(wish?.isRefused ? { refused: wish.reason } : {}) },
    };
  }
}

/** A reply of the token endpoint that signs nobody in. */
export function nobodyReply(tenantId: string): TokenReply {
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
