import { sql } from 'drizzle-orm';
import { UserEvents } from '#plugins/organization/server-extension';
import {
  ApiError,
  createProvidedAccount,
  generatedPassword,
  type Identities,
  type Passwords,
  type Profile,
  queryRows,
  type ServerContext,
  type StoredIdentity,
  unlockProvidedAccount,
  type VerifiedIdentity,
} from '#server';
import { providerSource } from '#shared/social';
import { providerProblems } from '../../provider-contract.ts';
import { accountByEmail } from './account-by-email.ts';
import type { MappedRoles } from './mapped-roles.ts';
import type { NewSignIn, ProviderSignIns } from './provider-sign-ins.ts';
import type { StoredProvider } from './stored-providers.ts';

/** A user whom a provider has just verified. */
export interface ProvidedUser extends Profile {
  /** Name by which the user signs in at the provider; the name of a new account. */
  readonly account: string;
  /** True if the provider vouches for the e-mail address. */
  readonly isEmailVerified: boolean;
  readonly groups: readonly string[];
}

/** Dependencies of `ProvidedIdentities`. */
export interface ProvidedIdentitiesDeps extends Pick<ServerContext, 'db' | 'find'> {
  readonly identities: Identities;
  readonly passwords: Pick<Passwords, 'hash' | 'read'>;
  readonly roles: MappedRoles;
  readonly signIns: ProviderSignIns;
}

const accountPattern = /^[^\s\p{C}]{1,64}$/u;

/** Turns users of providers into identities: links or creates the account at the first sign-in, and sets the roles by the groups at every one. */
export class ProvidedIdentities {
  constructor(private readonly deps: ProvidedIdentitiesDeps) {}

  async verified(provider: StoredProvider, user: ProvidedUser, signIn: Pick<NewSignIn, 'issuerSession' | 'refreshToken'> = {}): Promise<VerifiedIdentity> {
    const { db, identities, roles, signIns } = this.deps;
    const { tenantId, id: providerId } = provider;
    const stored = await identities.upsert({ tenantId, source: providerSource(providerId) }, user);
    const roleIds = await roles.rolesOf(tenantId, providerId, user.groups, { ignoresCase: provider.kind === 'ldap' });
    const userId = stored.userId ?? (await this.firstSignIn(provider, stored, user, roleIds));
    const identity = { ...stored, userId };
    if (userId !== null && (await this.isEnabled(tenantId, userId)))
      await db.write({ tenantId }, async () => {
        await unlockProvidedAccount(db, userId, stored.source);
        await roles.apply(userId, providerId, roleIds);
      });
    const signInId = await signIns.add(tenantId, { providerId, identityId: stored.id, hadGroup: roleIds.length > 0, ...signIn });
    return { identity, signInId };
  }

  /** Links an identity to the account of the user who has asked for it; groups count from the next sign-in on. */
  linked({ tenantId, id }: StoredProvider, user: ProvidedUser): Promise<StoredIdentity> {
    return this.deps.identities.upsert({ tenantId, source: providerSource(id) }, user);
  }

  private async firstSignIn(provider: StoredProvider, stored: StoredIdentity, user: ProvidedUser, roleIds: readonly string[]): Promise<string | null> {
    const { db, find, identities, passwords } = this.deps;
    const { tenantId, matchesEmail, createsAccounts } = provider;
    const matched = matchesEmail && user.isEmailVerified ? await accountByEmail(db, tenantId, user.email, stored.source) : undefined;
    if (matched !== undefined) {
      await identities.link(tenantId, stored, matched);
      return matched;
    }
    if (!createsAccounts || roleIds.length === 0 || (await this.isFreed(tenantId, stored.id))) return null;
    const account = accountNameOf(user);
    const passwordHash = await passwords.hash(passwords.read(`${generatedPassword()}${generatedPassword()}`));
    return db.write({ tenantId }, async () => {
      // Two first sign-ins of one user create one account.
      await db.lock(`provided account ${stored.id}`);
      const [current] = await queryRows<{ userId: string | null }>(db, sql`select user_id::text as "userId" from user_oauth where id = ${stored.id}::bigint`);
      if (current?.userId) return current.userId;
      const created = await createProvidedAccount(db, { source: stored.source, account, name: user.name, email: user.email, passwordHash }).catch(
        (error: unknown) => {
          throw error instanceof ApiError ? new ApiError(providerProblems.accountTaken, { account }) : error;
        },
      );
      await identities.link(tenantId, stored, created);
      await find(UserEvents)?.created(created);
      return created;
    });
  }

  /** True if an administrator has deleted the account of the identity: it does not come back by itself. */
  private async isFreed(tenantId: string, identityId: string): Promise<boolean> {
    const { db } = this.deps;
    const found = await db.read({ tenantId }, () => queryRows(db, sql`select from user_oauth where id = ${identityId}::bigint and freed_from is not null`));
    return found.length > 0;
  }

  private async isEnabled(tenantId: string, userId: string): Promise<boolean> {
    const { db } = this.deps;
    const found = await db.read({ tenantId }, () =>
      queryRows(db, sql`select from user_account where id = ${userId}::bigint and is_deleted = 0 and status = 1`),
    );
    return found.length > 0;
  }
}

function accountNameOf({ account, email, uuid }: ProvidedUser): string {
  return [account, email, uuid.slice(0, 64)].find((name) => accountPattern.test(name)) ?? `user-${Buffer.from(uuid).toString('hex').slice(0, 32)}`;
}
