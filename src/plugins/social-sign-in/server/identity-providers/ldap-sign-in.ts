import { ApiError, isTenantId, type Passwords, platformTenant, problems, type ServerContext, type SignInRequest, type SignInResult } from '#server';
import { authProblems } from '#shared/auth';
import { signInMethodProblems } from '#shared/auth-problems';
import { providerIdOf } from '#shared/social';
import { providerKinds } from '../../provider-contract.ts';
import { Directory } from './directory.ts';
import type { ProvidedIdentities } from './provided-identities.ts';
import type { StoredProviders } from './stored-providers.ts';

/** Dependencies of `LdapSignIn`. */
export interface LdapSignInDeps extends Pick<ServerContext, 'egress'> {
  readonly providers: StoredProviders;
  readonly provided: ProvidedIdentities;
  readonly passwords: Pick<Passwords, 'read'>;
}

/** The grant `ldap`: account and password of a directory. The password could be guessed, so failures count and lock like those of passwords. */
export class LdapSignIn {
  constructor(private readonly deps: LdapSignInDeps) {}

  async signIn({ input, origin }: SignInRequest): Promise<SignInResult> {
    const { source = '', username = '', password: sent = '' } = input;
    const account = username.trim();
    if (account === '' || sent === '') throw new ApiError(problems.missingParameter, { name: account === '' ? 'username' : 'password' });
    const tenantId = input.tenantId || origin.header('tenant-id') || platformTenant;
    const id = providerIdOf(source);
    const provider = id === undefined || !isTenantId(tenantId) ? undefined : await this.deps.providers.find(tenantId, id);
    if (provider?.kind !== providerKinds.ldap || !provider.isActive) throw new ApiError(signInMethodProblems.notOffered);
    const { egress, provided, passwords } = this.deps;
    // A digest of a password cannot be shown to a directory.
    const password = passwords.read(sent).plain ?? '';
    const check = async () => {
      const user = await new Directory(provider, egress).authenticate(account, password);
      if (!user) return undefined;
      const { name, email, groups } = user;
      // Users cannot change what a directory says about them.
      return provided.verified(provider, {
        uuid: user.id,
        unionId: '',
        name,
        avatar: '',
        email,
        account: user.account || account,
        isEmailVerified: true,
        groups,
      });
    };
    return { tenantId, proof: { subject: account, check, wrong: authProblems.wrongCredentials } };
  }
}
