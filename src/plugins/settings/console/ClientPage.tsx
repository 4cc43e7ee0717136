import { useState } from 'react';
import { CrudPage, Dialogs, Http, OneTimeSecret, useService, useTranslation } from '#kernel';
import type { RowOf } from '#shared/contract';
import { client, clientMessages } from '../client-contract.ts';
import { clientMenu } from '../menus.ts';
import { nouns } from './nouns.ts';

type ClientCredentials = { readonly clientId: string; readonly clientSecret: string };
type CreatedClient = RowOf<typeof client.entity> & Partial<ClientCredentials>;

/** Lists clients. A new secret is shown once. */
export default function ClientPage() {
  const http = useService(Http);
  const dialogs = useService(Dialogs);
  const t = useTranslation();
  const [credentials, setCredentials] = useState<ClientCredentials>();
  const rotate = async (id: string, name: string) => {
    const title = t(clientMessages.rotate);
    const content = t(clientMessages.question, { name });
    if (!(await dialogs.confirm({ title, content, danger: true }))) return;
    const response = await http.send(client.rotate, { id });
    if (response.success) setCredentials(response.data);
  };
  return (
    <>
      <CrudPage
        crud={client}
        title={clientMenu.title}
        noun={nouns.client}
        columns={{ authorizedGrantTypes: { width: 260 } }}
        onSaved={({ clientId, clientSecret }: CreatedClient) => clientSecret && setCredentials({ clientId, clientSecret })}
        actions={{ row: [{ title: clientMessages.rotate, code: 'client_secret', onClick: ({ id, clientId }) => rotate(id, clientId) }] }}
      />
      {credentials && (
        <OneTimeSecret
          title={clientMessages.created}
          secrets={[
            { title: clientMessages.clientId, value: credentials.clientId },
            { title: clientMessages.secret, value: credentials.clientSecret },
          ]}
          onClose={() => setCredentials(undefined)}
        />
      )}
    </>
  );
}
