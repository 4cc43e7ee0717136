import { X509Certificate } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { ApiError, type Database, EgressError, queryRows, rolesForCaller, type ServerContext } from '#server';
import type { FormOf } from '#shared/contract';
import { providerSource } from '#shared/social';
import { type IdentityProvider, type IdentityProviderRow, providerKinds, providerProblems } from '../../provider-contract.ts';
import { filterProblem } from './ldap-filters.ts';

const maxProviders = 20;
const loopbackHost = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

type ProviderForm = FormOf<typeof IdentityProvider>;

/** Rules for changes of identity providers and of the roles that their groups give. */
export class ProviderRules {
  constructor(private readonly context: Pick<ServerContext, 'db' | 'egress'> & { readonly publicUrl: URL | undefined }) {}

  async assertValid(form: ProviderForm, before: IdentityProviderRow | undefined): Promise<void> {
    const merged = { ...before, ...form };
    if (merged.kind === providerKinds.oidc) this.assertIssuer(merged);
    else await this.assertDirectory(merged, before, form);
    if (!before) await assertBelowLimit(this.context.db);
  }

  /**
   * Refuses a caller who could gain rights by the change. A user who sets up a provider decides who signs in with its linked accounts and who gets the roles of its groups,
   * so the caller must be able to grant all roles of these accounts and groups. A provider that matches accounts by e-mail reaches all accounts of the tenant.
   */
  async assertWithinRights(id: string | undefined, matchesEmail: boolean): Promise<void> {
    const { db } = this.context;
    const source = providerSource(id ?? '');
    const reached = await queryRows<{ id: string }>(
      db,
      sql`select role_id::text as id from identity_provider_group where provider_id = ${id ?? null}::bigint and is_deleted = 0
          union
          select ur.role_id::text from user_role ur join role r on r.id = ur.role_id and r.is_deleted <> 1 join user_account u on u.id = ur.user_id and u.is_deleted = 0
          where ${matchesEmail}::boolean or exists (select from user_oauth o where o.user_id = u.id and o.source = ${source} and o.is_deleted = 0)`,
    );
    const roles = new Map((await rolesForCaller(db)).map((role) => [role.id, role]));
    if (reached.some((role) => roles.get(role.id)?.isGrantable === false)) throw new ApiError(providerProblems.beyondOwn);
  }

  /** Refuses a role that the caller cannot grant, and a new one that is archived or unknown. */
  async assertGrantable(roleIds: readonly string[], { isNew }: { readonly isNew: boolean }): Promise<void> {
    const roles = new Map((await rolesForCaller(this.context.db)).map((role) => [role.id, role]));
    const isRefused = (id: string) => {
      const role = roles.get(id);
      return role ? !role.isGrantable || (isNew && role.isArchived) : isNew;
    };
    if (roleIds.some(isRefused)) throw new ApiError(providerProblems.roleNotGrantable, {}, { field: 'roleId' });
  }

  private assertIssuer({ issuer, scopes }: Partial<IdentityProviderRow>): void {
    if (!this.context.publicUrl) throw new ApiError(providerProblems.noPublicUrl);
    const url = new URL(issuer ?? '');
    if (url.username || url.password || url.search || url.hash) throw new ApiError(providerProblems.credentials, {}, { field: 'issuer' });
    this.assertEgress(url, 'issuer');
    if (url.protocol !== 'https:' && !loopbackHost.test(url.hostname)) throw new ApiError(providerProblems.notHttps, {}, { field: 'issuer' });
    if (scopes && !scopes.split(' ').includes('openid')) throw new ApiError(providerProblems.noOpenid, {}, { field: 'scopes' });
  }

  private async assertDirectory(merged: Partial<IdentityProviderRow>, before: IdentityProviderRow | undefined, form: ProviderForm): Promise<void> {
    const { address, startTls, caCertificate, userFilter, groupFilter } = merged;
    if (!address || !URL.canParse(address)) throw new ApiError(providerProblems.addressInvalid, {}, { field: 'address' });
    const { protocol, hostname } = new URL(address);
    this.assertEgress(new URL(address.replace(/^ldaps?/, 'http')), 'address');
    if (protocol === 'ldap:' && !startTls && !loopbackHost.test(hostname)) throw new ApiError(providerProblems.notEncrypted, {}, { field: 'startTls' });
    assertCertificate(caCertificate);
    if (userFilter && !userFilter.includes('{account}')) throw new ApiError(providerProblems.noAccountPlaceholder, {}, { field: 'userFilter' });
    await assertFilter('userFilter', userFilter);
    await assertFilter('groupFilter', groupFilter);
    // Without this rule, a user who may edit the provider could have the stored password sent to a server of their own.
    const isMoved =
      before && (['address', 'bindDn', 'startTls', 'caCertificate'] as const).some((name) => form[name] !== undefined && form[name] !== before[name]);
    if (isMoved && !form.bindPassword) throw new ApiError(providerProblems.passwordAgain, {}, { field: 'bindPassword' });
  }

  private assertEgress(url: URL, field: string): void {
    try {
      this.context.egress.check(url);
    } catch (error) {
      if (error instanceof EgressError) throw new ApiError(providerProblems.internal, {}, { field, cause: error });
      throw error;
    }
  }
}

function assertCertificate(pem: string | null | undefined): void {
  if (!pem) return;
  try {
    new X509Certificate(pem);
  } catch (error) {
    throw new ApiError(providerProblems.certificate, {}, { field: 'caCertificate', cause: error });
  }
}

async function assertFilter(field: 'userFilter' | 'groupFilter', pattern: string | null | undefined): Promise<void> {
  const reason = pattern ? await filterProblem(pattern) : undefined;
  if (reason !== undefined) throw new ApiError(providerProblems.filter, { reason }, { field });
}

async function assertBelowLimit(db: Database): Promise<void> {
  await db.lock('identity providers');
  const [found] = await queryRows<{ count: number }>(db, sql`select count(*)::integer as count from identity_provider where is_deleted = 0`);
  if ((found?.count ?? 0) >= maxProviders) throw new ApiError(providerProblems.tooMany);
}
