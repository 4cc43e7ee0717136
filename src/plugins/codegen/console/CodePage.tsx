import { useState } from 'react';
import { CrudPage, Http, SidePanel, Toasts, useService, useTranslation } from '#kernel';
import { type CodeRow, code } from '../contract.ts';
import { codeMenu } from '../menus.ts';
import { CodePreview, saveZip } from './CodePreview.tsx';
import { codeMessages, nouns } from './messages.ts';

/** Lists generated plugins. Top task: get the code of several, 3 clicks (select, download, or preview and write). */
export default function CodePage() {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const [shown, setShown] = useState<CodeRow>();
  const download = async (ids: readonly string[]) => {
    const { success, data } = await http.send(code.zip, { ids: [...ids] });
    if (success) saveZip(data);
  };
  const copy = async ({ id }: CodeRow, reload: () => void) => {
    const { success } = await http.send(code.copy, { id });
    if (!success) return;
    toasts.success(t(codeMessages.copied));
    reload();
  };
  return (
    <>
      <CrudPage
        crud={code}
        title={codeMenu.title}
        noun={nouns.code}
        actions={{
          toolbar: [{ title: codeMessages.download, code: 'code_gen', when: () => true, onClick: (ids) => void download(ids) }],
          row: [
            { title: codeMessages.preview, onClick: setShown },
            { title: codeMessages.copy, code: 'code_add', onClick: (row, { reload }) => void copy(row, reload) },
          ],
        }}
      />
      <SidePanel open={shown !== undefined} title={t(codeMessages.previewOf, { name: shown?.codeName ?? '' })} width={1320} onClose={() => setShown(undefined)}>
        {shown && <CodePreview row={shown} />}
      </SidePanel>
    </>
  );
}
