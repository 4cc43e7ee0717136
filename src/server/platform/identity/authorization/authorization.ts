import { createHash, hash, randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { TokenInput } from '#shared/auth';
import { signInMethodProblems } from '#shared/auth-problems';
import { type AuthorizeRequest, authorizationProblems } from '#shared/authorize';
import { consentPage } from '#shared/consent-page';
import { ApiError, problems } from '#shared/errors';
import type { Database } from '../../../data/database/database.ts';
import { queryRows } from '../../../data/database/rows.ts';
import type { Principal } from '../../principal/principal.ts';
import { type Account, findAccountById } from '../accounts/accounts.ts';
import type { Client } from '../accounts/clients.ts';
import type { Sessions } from '../sessions/sessions.ts';

const lifetimeSeconds = 60;
const codePattern = /^mc_[\w-]{43}$/;

/** Account that a code signs in, and the client and the address that may redeem it. */
interface CodeGrant {
  readonly tenantId: string;
  readonly userId: string;
  readonly clientId: string;
  readonly redirectUri: string;
  /** PKCE challenge (S256); '' for a request without one. */
  readonly challenge: string;
}

/** Tests whether a text has the format of our codes, which those of other issuers do not have. */
export const isOwnCode = (code: string): boolean => codePattern.test(code);

/** Authorization codes, stored as hashes; each is valid for one minute and for one use. */
export class AuthorizationCodes {
  constructor(private readonly db: Database) {}

  async issue({ tenantId, userId, clientId, redirectUri, challenge }: CodeGrant): Promise<string> {
    const code = `mc_${randomBytes(32).toString('base64url')}`;
    await this.db.asPlatform('redeems an authorization code before sign-in', async () => {
      await this.db.sql.execute(
        sql`insert into authorization_code (code_hash, tenant_id, user_id, client_id, redirect_uri, challenge, expires_at)
            values (${hash('sha256', code)}, ${tenantId}, ${userId}, ${clientId}, ${redirectUri}, ${challenge || null}, now() + make_interval(secs => ${lifetimeSeconds}))`,
      );
    });
    return code;
  }

  /** Redeems a code and returns its grant. For a code that was used before, it returns the session that began with it. */
  async redeem(code: string): Promise<{ readonly granted?: CodeGrant; readonly startedSession?: { tenantId: string; sid: string } }> {
    return this.db.asPlatform('redeems an authorization code before sign-in', async () => {
      const [granted] = await queryRows<CodeGrant>(
        this.db,
        sql`update authorization_code set used_at = now() where code_hash = ${hash('sha256', code)} and used_at is null and expires_at > now()
            returning tenant_id as "tenantId", user_id::text as "userId", client_id as "clientId", redirect_uri as "redirectUri", coalesce(challenge, '') as challenge`,
      );
      if (granted) return { granted };
      const [used] = await queryRows<{ tenantId: string; sid: string }>(
        this.db,
        sql`select tenant_id as "tenantId", sid::text as sid from authorization_code where code_hash = ${hash('sha256', code)} and sid is not null`,
      );
      return used ? { startedSession: used } : {};
    });
  }

  /** Records the session that began with a code. */
  async recordSession(code: string, sid: string): Promise<void> {
    await this.db.asPlatform('redeems an authorization code before sign-in', async () => {
      await this.db.sql.execute(sql`update authorization_code set sid = ${sid}::uuid where code_hash = ${hash('sha256', code)}`);
    });
  }
}

const grant = 'authorization_code';
const challengePattern = /^[\w-]{43}$/;
const verifierPattern = /^[\w.~-]{43,128}$/;

interface AuthorizationClient {
  readonly clientId: string;
  readonly isPublic: boolean;
  readonly isTrusted: boolean;
  readonly redirectUris: readonly string[];
}

/** Client that sends a request; `error` is sent to it instead of a code. */
type CheckedRequest = { readonly client: AuthorizationClient; readonly error?: string };

/** Dependencies of the authorization code grant. */
export interface AuthorizationDeps {
  readonly db: Database;
  readonly codes: AuthorizationCodes;
  readonly sessions: Sessions;
  /** Client whose sessions may give consent: the console's. */
  readonly consoleClient: string;
}

/**
 * Authorization code grant, by which other programs sign in users with their account here. Browsers are only sent to addresses registered for the client, compared
 * exactly.
 */
export class Authorization {
  constructor(private readonly deps: AuthorizationDeps) {}

  /** Returns the address of the console's consent page, or the client's address with an error if the request can never be granted. */
  async authorize(request: AuthorizeRequest): Promise<string> {
    const { error } = await this.checkRequest(request);
    if (error) return redirectTo(request, { error });
    return `${consentPage}?${new URLSearchParams(Object.entries(request).filter(([, value]) => value !== undefined) as [string, string][])}`;
  }

  async ask(request: AuthorizeRequest): Promise<{ clientId: string; host: string; isTrusted: boolean }> {
    const { client } = await this.validRequest(request);
    return { clientId: client.clientId, host: new URL(request.redirect_uri).host, isTrusted: client.isTrusted };
  }

  /** Issues a code after consent. Only the console may consent: a program that signs users in through us must not consent for another one. */
  async answer(request: AuthorizeRequest & { readonly approve: boolean }, { tenantId, userId, sessionId }: Principal): Promise<{ location: string }> {
    const { client } = await this.validRequest(request);
    if (!(await this.isConsole(tenantId, sessionId))) throw new ApiError(problems.forbidden);
    if (!request.approve) return { location: redirectTo(request, { error: 'access_denied' }) };
    const { redirect_uri: redirectUri, code_challenge: challenge = '' } = request;
    const code = await this.deps.codes.issue({ tenantId, userId, clientId: client.clientId, redirectUri, challenge });
    return { location: redirectTo(request, { code }) };
  }

  /** Signs in with one of our codes. If a code is redeemed twice, the session that began with it ends, because the code has leaked. */
  async exchangeCode(
    { code = '', redirect_uri = '', code_verifier = '' }: TokenInput,
    client: Client,
  ): Promise<{ readonly account: Account; readonly recordSession: (sid: string) => Promise<void> }> {
    const { db, codes, sessions } = this.deps;
    const { granted, startedSession } = await codes.redeem(code);
    if (startedSession) await sessions.logOut(startedSession.tenantId, startedSession.sid);
    if (!granted || granted.clientId !== client.clientId || granted.redirectUri !== redirect_uri) throw new ApiError(signInMethodProblems.invalidGrant);
    if (!(granted.challenge === '' ? client.proven : isVerified(granted.challenge, code_verifier))) throw new ApiError(signInMethodProblems.invalidGrant);
    const account = await findAccountById(db, granted.tenantId, granted.userId);
    if (!account) throw new ApiError(signInMethodProblems.invalidGrant);
    return { account, recordSession: (sid) => codes.recordSession(code, sid) };
  }

  private async isConsole(tenantId: string, sessionId: string): Promise<boolean> {
    const { db, consoleClient } = this.deps;
    const own = await db.read({ tenantId }, () => queryRows(db, sql`select 1 from session where id = ${sessionId}::uuid and client_id = ${consoleClient}`));
    return own.length > 0;
  }

  private async validRequest(request: AuthorizeRequest): Promise<CheckedRequest> {
    const checked = await this.checkRequest(request);
    if (checked.error) throw new ApiError(authorizationProblems.wrongRequest);
    return checked;
  }

  /** Throws for an unknown client or address; other problems may be reported to the client. */
  private async checkRequest({
    client_id,
    redirect_uri,
    response_type,
    code_challenge = '',
    code_challenge_method,
  }: AuthorizeRequest): Promise<CheckedRequest> {
    const client = await this.findClient(client_id);
    if (!client) throw new ApiError(authorizationProblems.unknownClient);
    if (!client.redirectUris.includes(redirect_uri) || !isHarmless(redirect_uri)) throw new ApiError(authorizationProblems.wrongRedirect);
    if (response_type !== 'code') return { client, error: 'unsupported_response_type' };
    if (code_challenge === '') return client.isPublic ? { client, error: 'invalid_request' } : { client };
    const isValid = challengePattern.test(code_challenge) && code_challenge_method === 'S256';
    return isValid ? { client } : { client, error: 'invalid_request' };
  }

  private async findClient(clientId: string): Promise<AuthorizationClient | undefined> {
    const { db } = this.deps;
    const [row] = await db.asPlatform('reads a client before its tenant is known', () =>
      queryRows<{ grants: string[]; isPublic: boolean; isTrusted: boolean; addresses: string | null }>(
        db,
        sql`select authorized_grant_types as grants, is_public as "isPublic", autoapprove as "isTrusted", web_server_redirect_uri as addresses from client
            where client_id = ${clientId} and is_deleted = 0 and status = 1`,
      ),
    );
    if (!row?.grants.includes(grant)) return undefined;
    const redirectUris = (row.addresses ?? '').split(',').flatMap((address) => address.trim() || []);
    return { clientId, isPublic: row.isPublic, isTrusted: row.isTrusted, redirectUris };
  }
}

/** Tests for an http or https address without a fragment. Browsers could run an address with another scheme. */
function isHarmless(address: string): boolean {
  return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol) && !address.includes('#');
}

function redirectTo({ redirect_uri, state }: AuthorizeRequest, values: Readonly<Record<string, string>>): string {
  const address = new URL(redirect_uri);
  for (const [name, value] of Object.entries({ ...values, ...(state ? { state } : {}) })) address.searchParams.set(name, value);
  return address.href;
}

function isVerified(challenge: string, verifier: string): boolean {
  return verifierPattern.test(verifier) && createHash('sha256').update(verifier).digest('base64url') === challenge;
}
