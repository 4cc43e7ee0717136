import type { TokenReply } from '#shared/auth';
import { Refusal } from '#shared/errors';
import { secondFactorProblems } from '#shared/second-factor';
import type { Database } from '../db/database.ts';
import type { Origin } from '../http/route.ts';
import { type Account, accountInSession } from './accounts.ts';
import { choose } from './acting-as.ts';
import type { Client } from './clients.ts';
import type { ExpiredRows } from './expired-rows.ts';
import { tokenDetails, tokenReply } from './replies.ts';
import type { Issued, Sessions } from './sessions.ts';
import type { SignInSteps } from './sign-in-steps.ts';
import type { Tokens } from './tokens.ts';

/** What letting people in is made of. */
export interface EntranceParts {
  readonly db: Database;
  readonly tokens: Tokens;
  readonly sessions: Sessions;
  readonly steps: SignInSteps;
  readonly expired: ExpiredRows;
  readonly timeZone: string;
}

/** What a way in does with the session it has led to. */
type Begun = (sid: string) => Promise<void>;

/** Where every grant that has found out who somebody is ends: a session and its tokens. */
export class Entrance {
  constructor(private readonly parts: EntranceParts) {}

  /** Begins a session, or refuses with `mfa_required` where the account has a second factor. */
  async enter(account: Account, client: Client, origin: Origin, begun?: Begun): Promise<TokenReply> {
    if (account.hasSecondFactor) throw new Refusal(secondFactorProblems.required, { token: await this.parts.steps.begin(account, client.clientId) });
    return this.begin(account, client, origin, begun);
  }

  /** Begins a session for whoever has proven everything there was to prove. */
  async begin(account: Account, client: Client, { userAgent, address, header }: Origin, begun?: Begun): Promise<TokenReply> {
    const { tenantId, userId } = account;
    const issued = await this.parts.sessions.begin(
      { tenantId, userId, clientId: client.clientId, userAgent, address, userType: header('user-type') },
      client.refreshSeconds,
    );
    await begun?.(issued.sid);
    return this.goOn(account, client, issued, header);
  }

  /** The tokens of a session. Headers may say which department and which role of several count from now on. */
  async goOn(account: Account, client: Client, issued: Issued, header: Origin['header']): Promise<TokenReply> {
    const { db } = this.parts;
    await choose(db, account, issued.sid, { deptId: header('dept-id'), roleId: header('role-id') });
    return this.reply((await accountInSession(db, account.tenantId, issued.sid)) ?? account, client, issued);
  }

  private async reply(account: Account, client: Client, { sid, generation, from }: Issued): Promise<TokenReply> {
    const { tokens, expired, timeZone } = this.parts;
    expired.sweepNowAndThen();
    const claims = { sid, tenant_id: account.tenantId, user_id: account.userId, client_id: client.clientId };
    const access = await tokens.access(claims, tokenDetails(account), client.accessSeconds);
    const refresh = await tokens.refresh({ ...claims, generation }, from, client.refreshSeconds);
    return tokenReply(account, { access, refresh, seconds: client.accessSeconds }, timeZone);
  }
}
