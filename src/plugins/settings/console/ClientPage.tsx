import { useState } from 'react';
import { CrudPage, Dialogs, Http, ToldOnce, useService, useWords } from '#kernel';
import type { RowOf } from '#shared/contract';
import { client, clientWords } from '../contract.ts';
import { clientMenu } from '../menus.ts';

type Told = { readonly clientId: string; readonly clientSecret: string };
type Saved = RowOf<typeof client.entity> & Partial<Told>;

/** Clients. A secret is shown here when it has just been made, and never again. */
export default function ClientPage() {
  const http = useService(Http);
  const dialogs = useService(Dialogs);
  const say = useWords();
  const [told, tell] = useState<Told>();
  const rotate = async (id: string, name: string) => {
    const title = say(clientWords.rotate);
    const content = say(clientWords.question, { name });
    if (!(await dialogs.confirm({ title, content, confirm: title, cancel: say(clientWords.cancel), danger: true }))) return;
    const answer = await http.send(client.rotate, { id });
    if (answer.success) tell(answer.data);
  };
  return (
    <>
      <CrudPage
        crud={client}
        title={clientMenu.title}
        columns={{ authorizedGrantTypes: { width: 260 } }}
        onSaved={({ clientId, clientSecret }: Saved) => clientSecret && tell({ clientId, clientSecret })}
        actions={{ row: [{ title: clientWords.rotate, code: 'client_secret', onClick: ({ id, clientId }) => void rotate(id, clientId) }] }}
      />
      {told && (
        <ToldOnce
          title={clientWords.made}
          facts={[
            { title: clientWords.clientId, value: told.clientId },
            { title: clientWords.secret, value: told.clientSecret },
          ]}
          onClose={() => tell(undefined)}
        />
      )}
    </>
  );
}
