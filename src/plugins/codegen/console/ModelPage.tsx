import { useState } from 'react';
import { CrudPage, Http, SidePanel, Toasts, useService, useWords } from '#kernel';
import { code, type ModelRow, model } from '../contract.ts';
import { modelMenu } from '../menus.ts';
import { AdoptTables } from './AdoptTables.tsx';
import { PrototypeGrid } from './PrototypeGrid.tsx';
import { modelWords } from './words.ts';

/** Tables that were read. Top task: take several tables over, 4 clicks (take over, choose the source, all, take). */
export default function ModelPage() {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const say = useWords();
  const [adopting, adopt] = useState<{ reload(): void }>();
  const [shown, show] = useState<ModelRow>();
  const configure = async (ids: readonly string[]) => {
    const { success, data } = await http.send(code.adopt, { ids: [...ids] });
    if (success) toasts.success(say(modelWords.configured, data));
  };
  return (
    <>
      <CrudPage
        crud={model}
        title={modelMenu.title}
        actions={{
          toolbar: [
            { title: modelWords.adopt, code: 'model_add', onClick: (_, screen) => adopt(screen) },
            { title: modelWords.configure, code: 'code_add', when: () => true, onClick: (ids) => void configure(ids) },
          ],
          row: [{ title: modelWords.fields, onClick: show }],
        }}
      />
      <SidePanel open={adopting !== undefined} title={say(modelWords.adopt)} width={560} onClose={() => adopt(undefined)}>
        <AdoptTables
          onAdopted={() => {
            adopting?.reload();
            adopt(undefined);
          }}
        />
      </SidePanel>
      <SidePanel open={shown !== undefined} title={say(modelWords.fieldsOf, { name: shown?.modelName ?? '' })} width={1320} onClose={() => show(undefined)}>
        {shown && <PrototypeGrid of={shown} />}
      </SidePanel>
    </>
  );
}
