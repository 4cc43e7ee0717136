import { sql } from 'drizzle-orm';
import { type Database, queryRows } from '#server';
import type { SignInProvider } from '#shared/sign-in-options';
import { providerSource } from '#shared/social';
import { providerKinds } from '../../provider-contract.ts';
import { defaultScopes } from '../single-sign-on.ts';

/** Properties that both kinds of provider have. */
interface ProviderFacts {
  readonly id: string;
  readonly tenantId: string;
  readonly name: string;
  /** False for a provider that is disabled or deleted, or whose tenant is. */
  readonly isActive: boolean;
  readonly matchesEmail: boolean;
  readonly createsAccounts: boolean;
  /** Changes with every update of the row. */
  readonly version: string;
}

/** OpenID Connect issuer of a tenant. */
export interface OidcProvider extends ProviderFacts {
  readonly kind: typeof providerKinds.oidc;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly scopes: string;
  readonly groupsClaim: string;
}

/** LDAP directory of a tenant. */
export interface LdapProvider extends ProviderFacts {
  readonly kind: typeof providerKinds.ldap;
  readonly address: string;
  readonly startTls: boolean;
  readonly caCertificate: string | undefined;
  readonly bindDn: string;
  readonly bindPassword: string;
  readonly baseDn: string;
  readonly userFilter: string;
  readonly groupAttribute: string;
  readonly groupBaseDn: string | undefined;
  readonly groupFilter: string;
  readonly idAttribute: string;
  readonly accountAttribute: string;
  readonly nameAttribute: string;
  readonly emailAttribute: string;
}

/** Identity provider of a tenant with its secrets; never return or log it. */
export type StoredProvider = OidcProvider | LdapProvider;

type ProviderRow = ProviderFacts & { readonly kind: string } & { readonly [Name in OptionalColumn]: string | null } & { readonly startTls: boolean };
type OptionalColumn = Exclude<keyof OidcProvider | keyof LdapProvider, keyof ProviderFacts | 'kind' | 'startTls'>;

const isOpenTenant = sql`exists (
  select 1 from tenant t where t.tenant_id = p.tenant_id and t.is_deleted = 0 and t.status = 1 and (t.expire_time is null or t.expire_time > now()))`;

const columns = sql`p.id::text as id, p.tenant_id as "tenantId", p.name, p.kind, p.is_enabled and p.is_deleted = 0 and ${isOpenTenant} as "isActive",
  p.matches_email as "matchesEmail", p.creates_accounts as "createsAccounts", p.xmin::text as version, p.issuer, p.client_id as "clientId",
  p.client_secret as "clientSecret", p.scopes, p.groups_claim as "groupsClaim", p.address, p.start_tls as "startTls", p.ca_certificate as "caCertificate",
  p.bind_dn as "bindDn", p.bind_password as "bindPassword", p.base_dn as "baseDn", p.user_filter as "userFilter", p.group_attribute as "groupAttribute",
  p.group_base_dn as "groupBaseDn", p.group_filter as "groupFilter", p.id_attribute as "idAttribute", p.account_attribute as "accountAttribute",
  p.name_attribute as "nameAttribute", p.email_attribute as "emailAttribute"`;

/** Identity providers that administrators have set up for their tenants. */
export class StoredProviders {
  constructor(private readonly db: Database) {}

  /** Lists the providers that a tenant offers; issuers need the address of the console. */
  async offered(tenantId: string, hasPublicUrl: boolean): Promise<SignInProvider[]> {
    const rows = await this.db.read({ tenantId }, () =>
      queryRows<{ id: string; name: string; kind: string }>(
        this.db,
        sql`select p.id::text as id, p.name, p.kind from identity_provider p where p.is_enabled and p.is_deleted = 0 and ${isOpenTenant} order by p.name, p.id`,
      ),
    );
    return rows
      .filter(({ kind }) => kind === providerKinds.ldap || hasPublicUrl)
      .map(({ id, name, kind }) => ({ source: providerSource(id), name, kind: kind === providerKinds.ldap ? 'password' : 'redirect' }));
  }

  /** Finds a provider of the tenant, also one that is not active. */
  async find(tenantId: string, id: string): Promise<StoredProvider | undefined> {
    const [row] = await this.db.read({ tenantId }, () =>
      queryRows<ProviderRow>(this.db, sql`select ${columns} from identity_provider p where p.id = ${id}::bigint and p.tenant_id = ${tenantId}`),
    );
    return row && this.providerOf(row);
  }

  /** Finds a provider whose tenant is not known yet. */
  async findAnywhere(id: string): Promise<StoredProvider | undefined> {
    const [row] = await this.db.asPlatform('finds the provider of a logout before its tenant is known', () =>
      queryRows<ProviderRow>(this.db, sql`select ${columns} from identity_provider p where p.id = ${id}::bigint`),
    );
    return row && this.providerOf(row);
  }

  private providerOf(row: ProviderRow): StoredProvider {
    const { id, tenantId, name, isActive, matchesEmail, createsAccounts, version } = row;
    const facts = { id, tenantId, name, isActive, matchesEmail, createsAccounts, version };
    const secret = (stored: string | null) => (stored ? this.db.encryption.decrypt(stored) : undefined);
    if (row.kind === providerKinds.oidc) {
      const { issuer, clientId, scopes, groupsClaim } = row;
      const settings = { issuer: issuer ?? '', clientId: clientId ?? '', scopes: scopes || defaultScopes, groupsClaim: groupsClaim || 'groups' };
      return { ...facts, kind: providerKinds.oidc, ...settings, clientSecret: secret(row.clientSecret) };
    }
    return {
      ...facts,
      kind: providerKinds.ldap,
      address: row.address ?? '',
      startTls: row.startTls,
      caCertificate: row.caCertificate || undefined,
      bindDn: row.bindDn ?? '',
      bindPassword: secret(row.bindPassword) ?? '',
      baseDn: row.baseDn ?? '',
      userFilter: row.userFilter || '(uid={account})',
      groupAttribute: row.groupAttribute || 'memberOf',
      groupBaseDn: row.groupBaseDn || undefined,
      groupFilter: row.groupFilter || '(member={dn})',
      idAttribute: row.idAttribute || 'entryUUID',
      accountAttribute: row.accountAttribute || 'uid',
      nameAttribute: row.nameAttribute || 'cn',
      emailAttribute: row.emailAttribute || 'mail',
    };
  }
}
