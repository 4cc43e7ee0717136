import { useState } from 'react';
import { CrudPage, Dialogs, Http, Toasts, useService, useTranslation } from '#kernel';
import { type OssRow, oss, ossMessages, ossStatus } from '../contract.ts';
import { ossMenu } from '../menus.ts';
import { nouns } from './nouns.ts';
import { TestPanel } from './TestPanel.tsx';

const isOff = ({ status }: OssRow) => status === ossStatus.off;

/** Lists the tenant's file stores. A saved store is tested at once, and a successful test offers to enable it. */
export default function OssPage() {
  const http = useService(Http);
  const dialogs = useService(Dialogs);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const [tested, setTested] = useState<OssRow>();
  const [round, setRound] = useState(0);
  const enable = async ({ id, ossCode }: OssRow, reload: () => void) => {
    const title = t(ossMessages.enable);
    const content = t(ossMessages.enableQuestion, { name: ossCode });
    if (!(await dialogs.confirm({ title, content, confirm: title, cancel: t(ossMessages.cancel) }))) return;
    const answer = await http.send(oss.enable, { id });
    if (!answer.success) return;
    toasts.success(t(ossMessages.enabled));
    reload();
  };
  return (
    <>
      <CrudPage
        key={round}
        crud={oss}
        title={ossMenu.title}
        noun={nouns.oss}
        columns={{ endpoint: { width: 300 }, status: { width: 110 } }}
        onSaved={(row) => setTested(row as OssRow)}
        actions={{
          row: [
            { title: ossMessages.test, code: 'oss_test', onClick: (row) => setTested(row as OssRow) },
            { title: ossMessages.enable, code: 'oss_enable', when: isOff, onClick: (row, { reload }) => void enable(row as OssRow, reload) },
          ],
          remove: isOff,
        }}
      />
      {tested && (
        <TestPanel
          of={tested}
          onClose={() => setTested(undefined)}
          onEnabled={() => {
            setTested(undefined);
            setRound(round + 1);
          }}
        />
      )}
    </>
  );
}
