import type { PluginSamples } from '../../kit/samples.ts';

const directory = {
  kind: 'ldap',
  address: 'ldaps://ldap.example.com',
  bindDn: 'cn=console,dc=example',
  bindPassword: 'a sample password',
  baseDn: 'dc=example',
};

export default {
  references: { identity_provider: { calls: 'identityProvider', form: { name: '样例身份源', ...directory, issuer: null } } },
  forms: {
    socialApp: { source: 'github', clientId: 'sample', clientSecret: 'a sample secret', isEnabled: 1 },
    identityProvider: { name: '样例 {n}', ...directory, issuer: null },
    identityProviderGroup: { providerId: '$identity_provider', groupName: 'staff', roleId: '$role' },
  },
  rows: [
    { entity: 'social_app' },
    { entity: 'identity_provider', values: { name: '目录', ...directory, issuer: null } },
    { entity: 'identity_provider_group', values: { providerId: '$identity_provider', roleId: '$role' } },
  ],
} satisfies PluginSamples;
