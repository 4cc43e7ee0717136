import { CrudPage } from '#kernel';
import { providerGroupMenu } from '../menus.ts';
import { identityProviderGroup } from '../provider-group-contract.ts';
import { nouns } from './messages.ts';

const { roles: _roles, ...crud } = identityProviderGroup;

/** Lists the roles that groups of identity providers have. */
export default function ProviderGroupPage() {
  return <CrudPage crud={crud} title={providerGroupMenu.title} noun={nouns.providerGroup} />;
}
