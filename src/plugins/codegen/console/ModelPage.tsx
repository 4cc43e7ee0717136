import { useState } from 'react';
import { CrudPage, Http, SidePanel, Toasts, useService, useTranslation } from '#kernel';
import { code, type ModelRow, model } from '../contract.ts';
import { modelMenu } from '../menus.ts';
import { AdoptTables } from './AdoptTables.tsx';
import { modelMessages } from './messages.ts';
import { nouns } from './nouns.ts';
import { PrototypeGrid } from './PrototypeGrid.tsx';

/** Lists models of imported tables. Top task: import several tables, 4 clicks (import, select the source, all, import). */
export default function ModelPage() {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const [adopting, setAdopting] = useState<{ reload(): void }>();
  const [shown, setShown] = useState<ModelRow>();
  const configure = async (ids: readonly string[]) => {
    const { success, data } = await http.send(code.adopt, { ids: [...ids] });
    if (success) toasts.success(t(modelMessages.configured, data));
  };
  return (
    <>
      <CrudPage
        crud={model}
        title={modelMenu.title}
        noun={nouns.model}
        actions={{
          toolbar: [
            { title: modelMessages.adopt, code: 'model_add', onClick: (_, screen) => setAdopting(screen) },
            { title: modelMessages.configure, code: 'code_add', when: () => true, onClick: (ids) => void configure(ids) },
          ],
          row: [{ title: modelMessages.fields, onClick: setShown }],
        }}
      />
      <SidePanel open={adopting !== undefined} title={t(modelMessages.adopt)} width={560} onClose={() => setAdopting(undefined)}>
        <AdoptTables
          onAdopted={() => {
            adopting?.reload();
            setAdopting(undefined);
          }}
        />
      </SidePanel>
      <SidePanel
        open={shown !== undefined}
        title={t(modelMessages.fieldsOf, { name: shown?.modelName ?? '' })}
        width={1320}
        onClose={() => setShown(undefined)}
      >
        {shown && <PrototypeGrid of={shown} />}
      </SidePanel>
    </>
  );
}
