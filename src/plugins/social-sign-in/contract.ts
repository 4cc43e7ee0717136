import { crud, entity } from '#shared/contract';
import { BooleanInt, Id, Secret, Select, Text } from '#shared/fields';
import { socialSources } from '#shared/social';

export * from './logout-contract.ts';
export * from './provider-contract.ts';
export * from './provider-group-contract.ts';

/** Credentials of the tenant's app at an identity provider; the secret is encrypted. */
export const SocialApp = entity('social_app', {
  id: Id(),
  source: Select({ title: ['平台', 'Provider'], options: Object.entries(socialSources), search: true }),
  clientId: Text({ title: ['应用标识', 'Client ID'], copyable: true }),
  clientSecret: Secret({ title: ['应用密钥', 'Client secret'] }),
  isEnabled: BooleanInt({ title: ['启用', 'Enabled'], default: 1 }),
});

export const socialApp = crud('/api/blade-system/social-app', SocialApp);
