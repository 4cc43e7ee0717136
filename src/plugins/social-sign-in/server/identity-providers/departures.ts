import { setTimeout } from 'node:timers/promises';
import { lockProvidedAccount, type ServerContext, type SignInPort } from '#server';
import { providerSource } from '#shared/social';
import { providerKinds } from '../../provider-contract.ts';
import { Directory } from './directory.ts';
import type { Issuers } from './issuers.ts';
import type { MappedRoles } from './mapped-roles.ts';
import { groupsIn, wantedClaims } from './oidc-sign-in.ts';
import type { DueSignIn, ProviderSignIns } from './provider-sign-ins.ts';
import type { ProviderStates } from './provider-states.ts';
import type { LdapProvider, OidcProvider, StoredProviders } from './stored-providers.ts';

/** Issuers that are asked at a time. */
const concurrency = 8;
/** Time after which a run leaves the rest to the next one. */
const maxRunMs = 20_000;
/** Time for which a run waits for the providers of a batch before it claims the next one. */
const maxBatchMs = 2000;

/** Dependencies of `Departures`. */
export interface DeparturesDeps extends Pick<ServerContext, 'db' | 'egress' | 'systemLog'> {
  readonly signIn: Pick<SignInPort, 'endSessions'>;
  readonly providers: StoredProviders;
  readonly issuers: Issuers;
  readonly roles: MappedRoles;
  readonly signIns: ProviderSignIns;
  readonly states: ProviderStates;
}

/** Cause of an ending, in the system log. */
type DepartureCause = 'gone' | 'no-group' | 'revoked';

/**
 * Asks providers about the users of live sessions, each at most every 30 seconds on all servers together, and ends the sessions of those who have left. A provider that
 * does not answer ends no session, and a slow one delays no other.
 */
export class Departures {
  /** The last check of each provider. */
  private readonly running = new Map<string, Promise<void>>();
  private readonly waitingIds = new Set<string>();

  constructor(private readonly deps: DeparturesDeps) {}

  async run(signal?: AbortSignal): Promise<void> {
    const end = performance.now() + maxRunMs;
    while (!signal?.aborted && performance.now() < end) {
      const due = await this.deps.signIns.claim();
      if (due.length === 0) return;
      for (const [key, signIns] of byProvider(due)) this.begin(key, signIns);
      const timer = new AbortController();
      await Promise.race([this.settle(), setTimeout(maxBatchMs, undefined, { signal: timer.signal }).catch(() => undefined)]);
      timer.abort();
    }
  }

  /** Waits for providers that are being asked. */
  async settle(): Promise<void> {
    await Promise.all(this.running.values());
  }

  /** Asks a provider once it has answered what it was asked before. Sign-ins that still wait for it are due again later. */
  private begin(key: string, due: readonly DueSignIn[]): void {
    const waiting = due.filter(({ id }) => !this.waitingIds.has(id));
    for (const { id } of waiting) this.waitingIds.add(id);
    const check = (this.running.get(key) ?? Promise.resolve())
      .then(() => this.checkProvider(waiting))
      .catch((error: unknown) =>
        this.deps.systemLog.log({ level: 'error', event: 'social-sign-in:check-failed', data: { reason: String(error) }, tenant: due[0]?.tenantId ?? '' }),
      )
      .finally(() => {
        for (const { id } of waiting) this.waitingIds.delete(id);
        if (this.running.get(key) === check) this.running.delete(key);
      });
    this.running.set(key, check);
  }

  private async checkProvider(due: readonly DueSignIn[]): Promise<void> {
    const [first] = due;
    if (!first) return;
    const { tenantId, providerId } = first;
    const { providers, states } = this.deps;
    const provider = await providers.find(tenantId, providerId);
    if (!provider?.isActive) {
      await this.endSignIns(due);
      return;
    }
    try {
      const hasAsked = provider.kind === providerKinds.ldap ? await this.checkDirectory(provider, due) : await this.checkIssuer(provider, due);
      if (hasAsked) await states.answered(tenantId, providerId);
    } catch (error) {
      await states.failed(tenantId, providerId, error);
    }
  }

  private async checkDirectory(provider: LdapProvider, due: readonly DueSignIn[]): Promise<boolean> {
    const users = await new Directory(provider, this.deps.egress).findByIds([...new Set(due.map(({ uuid }) => uuid))]);
    for (const one of due) {
      const user = users.get(one.uuid);
      if (user) await this.updateRoles(one, user.groups, { ignoresCase: true });
      else await this.leave(one, 'gone');
    }
    return true;
  }

  /** Exchanges refresh tokens; sessions without one end by the back channel only. Rejects after the first failure, once the others have been checked. */
  private async checkIssuer(provider: OidcProvider, due: readonly DueSignIn[]): Promise<boolean> {
    const waiting = due.filter(({ refreshToken }) => refreshToken !== undefined);
    const queue = [...waiting];
    const failures: unknown[] = [];
    const work = async () => {
      for (let one = queue.shift(); one; one = queue.shift()) await this.refresh(provider, one).catch((error: unknown) => failures.push(error));
    };
    await Promise.all(Array.from({ length: concurrency }, work));
    if (failures.length > 0) throw failures[0];
    return waiting.length > 0;
  }

  private async refresh(provider: OidcProvider, due: DueSignIn): Promise<void> {
    const { issuers, signIns } = this.deps;
    const { id, tenantId, uuid, refreshToken = '', hadGroup } = due;
    const claims = await issuers.of(provider).refresh(refreshToken, uuid, wantedClaims(provider));
    if (!claims) return this.leave(due, 'revoked');
    // The former token may be spent, so the new one is stored before anything else.
    await signIns.update(tenantId, id, { refreshToken: claims.refreshToken, hadGroup });
    const groups = groupsIn(provider, claims);
    if (groups) await this.updateRoles(due, groups, { ignoresCase: false });
  }

  /** Sets the roles by the groups; a user who is in no mapped group any more has left. */
  private async updateRoles(due: DueSignIn, groups: readonly string[], comparison: { readonly ignoresCase: boolean }): Promise<void> {
    const { db, roles, signIns } = this.deps;
    const { id, tenantId, providerId, userId, hadGroup } = due;
    const roleIds = await roles.rolesOf(tenantId, providerId, groups, comparison);
    if (roleIds.length === 0 && hadGroup) return this.leave(due, 'no-group');
    if (userId !== '0') await db.write({ tenantId }, () => roles.apply(userId, providerId, roleIds));
    if (roleIds.length > 0 && !hadGroup) await signIns.update(tenantId, id, { refreshToken: undefined, hadGroup: true });
  }

  /** Ends the sessions of a provider that is disabled or deleted, of whose users nothing is known any more. */
  private async endSignIns(due: readonly DueSignIn[]): Promise<void> {
    const tenantId = due[0]?.tenantId ?? '';
    const signInIds = due.map(({ id }) => id);
    await this.deps.signIn.endSessions({ tenantId, of: { signInIds }, reason: 'access-withdrawn', method: 'provider' });
    await this.deps.signIns.forget(tenantId, signInIds);
  }

  /**
   * Ends all sessions of the account, also those that it began otherwise, withdraws the roles of its groups unless only a token was revoked, and locks an account that the
   * provider has created unless its user has only left the groups. A revoked token of an earlier sign-in says nothing about a later one, so it ends its own sessions only.
   */
  private async leave(due: DueSignIn, cause: DepartureCause): Promise<void> {
    const { db, roles, signIn, signIns, systemLog } = this.deps;
    const { id, tenantId, providerId, userId, isLatest } = due;
    const endsAccount = userId !== '0' && (cause !== 'revoked' || isLatest);
    let isLocked = false;
    if (endsAccount)
      await db.write({ tenantId }, async () => {
        if (cause !== 'revoked') await roles.apply(userId, providerId, []);
        if (cause !== 'no-group') isLocked = await lockProvidedAccount(db, userId, providerSource(providerId));
      });
    const of = endsAccount ? { userId } : { signInIds: [id] };
    const count = await signIn.endSessions({ tenantId, of, reason: 'access-withdrawn', method: 'provider' });
    await signIns.forget(tenantId, [id]);
    // A user who has lost the last group may go on with roles that were given by hand.
    if (cause === 'no-group') await signIns.update(tenantId, id, { refreshToken: undefined, hadGroup: false });
    const data = { provider: providerId, user: userId, cause, sessions: count, locked: isLocked };
    if (count > 0) systemLog.log({ level: 'info', event: 'social-sign-in:left', data, tenant: tenantId });
  }
}

function byProvider(due: readonly DueSignIn[]): ReadonlyMap<string, readonly DueSignIn[]> {
  const groups = new Map<string, DueSignIn[]>();
  for (const one of due) {
    const key = `${one.tenantId} ${one.providerId}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return groups;
}
