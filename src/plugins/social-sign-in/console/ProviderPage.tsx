import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { CrudPage, Http, Tag, Toasts, useRowsLink, useService, useTranslation } from '#kernel';
import type { Tone } from '#shared/fields';
import { rowsOf } from '#shared/figures';
import type { LocalizedText } from '#shared/text';
import { providerMenu } from '../menus.ts';
import { type IdentityProviderRow, identityProvider, providerKinds } from '../provider-contract.ts';
import { identityProviderGroup } from '../provider-group-contract.ts';
import { nouns, providerMessages } from './messages.ts';
import { type ProviderAddresses, ProviderAddressesDialog } from './ProviderAddressesDialog.tsx';

const { check, addresses, ...crud } = identityProvider;

function stateOf({ isEnabled, unreachableSince }: IdentityProviderRow): { readonly tone: Tone; readonly title: LocalizedText } {
  if (!isEnabled) return { tone: 'neutral', title: providerMessages.off };
  return unreachableSince ? { tone: 'danger', title: providerMessages.unreachable } : { tone: 'good', title: providerMessages.enabled };
}

/** Lists the identity providers of the tenant. Top task: set one up and see that it works, 1 click for the check of a saved one. */
export default function ProviderPage() {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const navigate = useNavigate();
  const linkOf = useRowsLink();
  const groupsOf = ({ id }: IdentityProviderRow) => linkOf(rowsOf(identityProviderGroup, { providerId: id }));
  const [shown, setShown] = useState<ProviderAddresses>();

  const runCheck = async ({ id }: IdentityProviderRow) => {
    const answer = await http.send(check, { id });
    if (!answer.success) return;
    const { isReady, message } = answer.data;
    if (isReady) toasts.success(message);
    else toasts.warning(message);
  };
  const showAddresses = async ({ id }: IdentityProviderRow) => {
    const answer = await http.send(addresses, { id });
    if (answer.success) setShown(answer.data);
  };
  const isOidc = ({ kind }: IdentityProviderRow) => kind === providerKinds.oidc;

  return (
    <>
      <CrudPage
        crud={crud}
        title={providerMenu.title}
        noun={nouns.provider}
        columns={{
          name: { width: 180 },
          isEnabled: {
            title: providerMessages.state,
            width: 120,
            render: (row) => {
              const { tone, title } = stateOf(row);
              return <Tag tone={tone}>{t(title)}</Tag>;
            },
          },
          issuer: { title: providerMessages.address, render: ({ issuer, address }) => issuer ?? address },
          address: { hidden: true },
        }}
        onSaved={(row) => {
          const isNew = row.updateTime === null;
          if (isNew && isOidc(row)) void showAddresses(row);
        }}
        actions={{
          row: [
            {
              title: providerMessages.groups,
              isPrimary: true,
              when: (row) => groupsOf(row) !== undefined,
              onClick: (row) => void navigate(groupsOf(row) ?? ''),
            },
            { title: providerMessages.check, code: 'identity_provider_check', onClick: (row) => runCheck(row) },
            { title: providerMessages.addresses, when: isOidc, onClick: (row) => showAddresses(row) },
          ],
        }}
      />
      {shown && <ProviderAddressesDialog addresses={shown} onClose={() => setShown(undefined)} />}
    </>
  );
}
