import { useState } from 'react';
import { CrudPage, SidePanel, useWords } from '#kernel';
import { type SmsTemplateRow, smsTemplate, smsWords } from '../contract.ts';
import { smsTemplateMenu } from '../menus.ts';
import { Trial } from './Trial.tsx';

/** What is said through configurations beside codes. Top task: see whether a template arrives, 2 clicks beside typing (try out, send). */
export default function TemplatePage() {
  const say = useWords();
  const [tried, attempt] = useState<SmsTemplateRow>();
  return (
    <>
      <CrudPage crud={smsTemplate} title={smsTemplateMenu.title} actions={{ row: [{ title: smsWords.debug, code: 'sms_debug', onClick: attempt }] }} />
      <SidePanel open={tried !== undefined} title={say(smsWords.debug)} width={480} onClose={() => attempt(undefined)}>
        {tried && <Trial code={tried.templateCode} placeholders={tried.templateParams ?? []} />}
      </SidePanel>
    </>
  );
}
