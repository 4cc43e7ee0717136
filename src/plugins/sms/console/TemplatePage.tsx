import { useState } from 'react';
import { CrudPage, SidePanel, useTranslation } from '#kernel';
import { type SmsTemplateRow, smsMessages, smsTemplate } from '../contract.ts';
import { smsTemplateMenu } from '../menus.ts';
import { nouns } from './nouns.ts';
import { Trial } from './Trial.tsx';

/** Lists message templates beyond verification codes. Top task: see whether a template arrives, 2 clicks besides typing (try out, send). */
export default function TemplatePage() {
  const t = useTranslation();
  const [tried, setTried] = useState<SmsTemplateRow>();
  return (
    <>
      <CrudPage
        crud={smsTemplate}
        title={smsTemplateMenu.title}
        noun={nouns.template}
        actions={{ row: [{ title: smsMessages.debug, code: 'sms_debug', onClick: setTried }] }}
      />
      <SidePanel open={tried !== undefined} title={t(smsMessages.debug)} width={480} onClose={() => setTried(undefined)}>
        {tried && <Trial code={tried.templateCode} placeholders={tried.templateParams ?? []} />}
      </SidePanel>
    </>
  );
}
