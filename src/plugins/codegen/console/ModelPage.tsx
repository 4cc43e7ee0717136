import { useState } from 'react';
import { CrudPage, Http, SidePanel, Toasts, useService, useWords } from '#kernel';
import { code, type ModelRow, model } from '../contract.ts';
import { modelMenu } from '../menus.ts';
import { AdoptTables } from './AdoptTables.tsx';
import { nouns } from './nouns.ts';
import { PrototypeGrid } from './PrototypeGrid.tsx';
import { modelWords } from './words.ts';

/** Lists models of imported tables. Top task: import several tables, 4 clicks (import, select the source, all, import). */
export default function ModelPage() {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const say = useWords();
  const [adopting, setAdopting] = useState<{ reload(): void }>();
  const [shown, setShown] = useState<ModelRow>();
  const configure = async (ids: readonly string[]) => {
    const { success, data } = await http.send(code.adopt, { ids: [...ids] });
    if (success) toasts.success(say(modelWords.configured, data));
  };
  return (
    <>
      <CrudPage
        crud={model}
        title={modelMenu.title}
        noun={nouns.model}
        actions={{
          toolbar: [
            { title: modelWords.adopt, code: 'model_add', onClick: (_, screen) => setAdopting(screen) },
            { title: modelWords.configure, code: 'code_add', when: () => true, onClick: (ids) => void configure(ids) },
          ],
          row: [{ title: modelWords.fields, onClick: setShown }],
        }}
      />
      <SidePanel open={adopting !== undefined} title={say(modelWords.adopt)} width={560} onClose={() => setAdopting(undefined)}>
        <AdoptTables
          onAdopted={() => {
            adopting?.reload();
            setAdopting(undefined);
          }}
        />
      </SidePanel>
      <SidePanel open={shown !== undefined} title={say(modelWords.fieldsOf, { name: shown?.modelName ?? '' })} width={1320} onClose={() => setShown(undefined)}>
        {shown && <PrototypeGrid of={shown} />}
      </SidePanel>
    </>
  );
}
