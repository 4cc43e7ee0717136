import * as Type from 'typebox';
import { crud, entity, get, withFreshProof, withoutCalls } from '#shared/contract';
import { Id, Reference, Text } from '#shared/fields';
import { providerGroupMenu } from './menus.ts';
import { IdentityProvider, identityProvider } from './provider-contract.ts';

const path = '/api/blade-system/identity-provider-group';

const IdList = Type.Unsafe<string>({ type: 'string', pattern: '^\\d{1,19}(,\\d{1,19})*$', maxLength: 4000 });

/** Lists roles with their names: those the caller can grant, or those with the given ids. */
const roles = get(`${path}/roles`, {
  title: ['可对应的角色', 'Roles'],
  access: { code: providerGroupMenu.code },
  input: Type.Object({ ids: Type.Optional(IdList) }),
  reply: Type.Array(Type.Object({ id: Id(), name: Text({ title: ['角色名称', 'Role'] }) })),
});

/** Role that members of a group of a provider have. */
export const ProviderGroup = entity(
  'identity_provider_group',
  {
    id: Id(),
    providerId: Reference({
      title: ['身份源', 'Identity provider'],
      onDelete: 'keep',
      from: { call: identityProvider.list, search: 'name', paged: true },
      immutable: true,
      search: true,
    }),
    groupName: Text({
      title: ['群组', 'Group'],
      maxLength: 500,
      search: true,
      help: ['LDAP 填 cn 或完整 DN', 'For LDAP, its cn or its full DN'],
      placeholder: ['运营部', 'Operations'],
      width: 260,
    }),
    roleId: Reference({ title: ['角色', 'Role'], onDelete: 'refuse', from: { call: roles, entity: 'role', lookup: 'ids' }, search: true }),
  },
  { archivable: false, belongsTo: { providerId: { entity: IdentityProvider } } },
);

// Each mapping is checked against the roles of the caller.
const groupCalls = withFreshProof(withoutCalls(crud(path, ProviderGroup, { menu: providerGroupMenu.code }), 'export', 'import', 'bulkSubmit'), 'submit');

export const identityProviderGroup = { ...groupCalls, roles };
