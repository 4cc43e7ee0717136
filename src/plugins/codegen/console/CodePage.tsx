import { useState } from 'react';
import { CrudPage, Http, SidePanel, Toasts, useService, useWords } from '#kernel';
import { type CodeRow, code } from '../contract.ts';
import { codeMenu } from '../menus.ts';
import { CodePreview } from './CodePreview.tsx';
import { nouns } from './nouns.ts';
import { saveZip } from './save-zip.ts';
import { codeWords } from './words.ts';

/** Lists generated plugins. Top task: get the code of several, 3 clicks (select, download, or preview and write). */
export default function CodePage() {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const say = useWords();
  const [shown, setShown] = useState<CodeRow>();
  const download = async (ids: readonly string[]) => {
    const { success, data } = await http.send(code.zip, { ids: [...ids] });
    if (success) saveZip(data);
  };
  const copy = async ({ id }: CodeRow, reload: () => void) => {
    const { success } = await http.send(code.copy, { id });
    if (!success) return;
    toasts.success(say(codeWords.copied));
    reload();
  };
  return (
    <>
      <CrudPage
        crud={code}
        title={codeMenu.title}
        noun={nouns.code}
        actions={{
          toolbar: [{ title: codeWords.download, code: 'code_gen', when: () => true, onClick: (ids) => void download(ids) }],
          row: [
            { title: codeWords.preview, onClick: setShown },
            { title: codeWords.copy, code: 'code_add', onClick: (row, { reload }) => void copy(row, reload) },
          ],
        }}
      />
      <SidePanel open={shown !== undefined} title={say(codeWords.previewOf, { name: shown?.codeName ?? '' })} width={1320} onClose={() => setShown(undefined)}>
        {shown && <CodePreview of={shown} />}
      </SidePanel>
    </>
  );
}
