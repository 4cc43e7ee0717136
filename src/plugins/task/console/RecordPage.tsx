import { useState } from 'react';
import { CrudPage, SidePanel, useWords } from '#kernel';
import { auditRecords } from '../contract.ts';
import { recordMenu } from '../menus.ts';
import { Figures } from './Figures.tsx';
import { consoleWords } from './words.ts';

/** What was decided, by whom and why, and what has become of its payment; beside it how much each auditor has done. */
export default function RecordPage() {
  const say = useWords();
  const [hasFigures, showFigures] = useState(false);
  return (
    <>
      <CrudPage
        crud={auditRecords}
        title={recordMenu.title}
        fields={['taskTitle', 'nickName', 'auditStatus', 'reason', 'auditorName', 'auditTime', 'amount', 'payStatus', 'submitTime', 'platformAccount']}
        columns={{ submitTime: { hidden: true }, platformAccount: { hidden: true } }}
        actions={{ toolbar: [{ title: consoleWords.figures, onClick: () => showFigures(true) }] }}
        details
      />
      <SidePanel open={hasFigures} title={say(consoleWords.figures)} width={520} onClose={() => showFigures(false)}>
        <Figures />
      </SidePanel>
    </>
  );
}
