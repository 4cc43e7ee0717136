import { useState } from 'react';
import { CrudPage, Dialogs, Http, OneTimeSecret, useService, useWords } from '#kernel';
import type { RowOf } from '#shared/contract';
import { client, clientWords } from '../client-contract.ts';
import { clientMenu } from '../menus.ts';
import { nouns } from './nouns.ts';

type ClientCredentials = { readonly clientId: string; readonly clientSecret: string };
type CreatedClient = RowOf<typeof client.entity> & Partial<ClientCredentials>;

/** Lists clients. A new secret is shown once. */
export default function ClientPage() {
  const http = useService(Http);
  const dialogs = useService(Dialogs);
  const say = useWords();
  const [told, setTold] = useState<ClientCredentials>();
  const rotate = async (id: string, name: string) => {
    const title = say(clientWords.rotate);
    const content = say(clientWords.question, { name });
    if (!(await dialogs.confirm({ title, content, confirm: title, cancel: say(clientWords.cancel), danger: true }))) return;
    const answer = await http.send(client.rotate, { id });
    if (answer.success) setTold(answer.data);
  };
  return (
    <>
      <CrudPage
        crud={client}
        title={clientMenu.title}
        noun={nouns.client}
        columns={{ authorizedGrantTypes: { width: 260 } }}
        onSaved={({ clientId, clientSecret }: CreatedClient) => clientSecret && setTold({ clientId, clientSecret })}
        actions={{ row: [{ title: clientWords.rotate, code: 'client_secret', onClick: ({ id, clientId }) => void rotate(id, clientId) }] }}
      />
      {told && (
        <OneTimeSecret
          title={clientWords.made}
          facts={[
            { title: clientWords.clientId, value: told.clientId },
            { title: clientWords.secret, value: told.clientSecret },
          ]}
          onClose={() => setTold(undefined)}
        />
      )}
    </>
  );
}
