import { useState } from 'react';
import { CrudPage, SidePanel, useTranslation } from '#kernel';
import { auditRecords } from '../contract.ts';
import { recordMenu } from '../menus.ts';
import { Figures } from './Figures.tsx';
import { consoleMessages } from './messages.ts';

/** Lists decisions with auditor, reason and payment state, and the number of decisions per auditor. */
export default function RecordPage() {
  const t = useTranslation();
  const [hasFigures, setHasFigures] = useState(false);
  return (
    <>
      <CrudPage
        crud={auditRecords}
        title={recordMenu.title}
        fields={['taskTitle', 'nickName', 'auditStatus', 'reason', 'auditorName', 'auditTime', 'amount', 'payStatus', 'submitTime', 'platformAccount']}
        columns={{ submitTime: { hidden: true }, platformAccount: { hidden: true } }}
        actions={{ toolbar: [{ title: consoleMessages.figures, onClick: () => setHasFigures(true) }] }}
        details
      />
      <SidePanel open={hasFigures} title={t(consoleMessages.figures)} width={520} onClose={() => setHasFigures(false)}>
        <Figures />
      </SidePanel>
    </>
  );
}
