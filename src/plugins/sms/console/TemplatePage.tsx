import { useState } from 'react';
import { CrudPage, SidePanel, useTranslation } from '#kernel';
import { type SmsTemplateRow, smsTemplate } from '../contract.ts';
import { smsTemplateMenu } from '../menus.ts';
import { nouns, smsMessages } from './messages.ts';
import { TestMessageForm } from './TestMessageForm.tsx';

/** Lists message templates beyond verification codes. Top task: check whether a message arrives, 2 clicks besides typing (test, send). */
export default function TemplatePage() {
  const t = useTranslation();
  const [tested, setTested] = useState<SmsTemplateRow>();
  return (
    <>
      <CrudPage
        crud={smsTemplate}
        title={smsTemplateMenu.title}
        noun={nouns.template}
        actions={{ row: [{ title: smsMessages.sendTest, code: 'sms_debug', onClick: setTested }] }}
      />
      <SidePanel open={tested !== undefined} title={t(smsMessages.sendTest)} width={480} onClose={() => setTested(undefined)}>
        {tested && <TestMessageForm code={tested.templateCode} placeholders={tested.templateParams ?? []} />}
      </SidePanel>
    </>
  );
}
