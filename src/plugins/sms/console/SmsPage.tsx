import { useState } from 'react';
import { CrudPage, Http, SidePanel, Toasts, useService, useTranslation } from '#kernel';
import { type SmsRow, sms, smsStatus } from '../contract.ts';
import { smsMenu } from '../menus.ts';
import { nouns, smsMessages } from './messages.ts';
import { TestMessageForm } from './TestMessageForm.tsx';

const titles = { enable: smsMessages.enable, disable: smsMessages.disable } as const;

const isOff = ({ status }: SmsRow) => status === smsStatus.off;

/** Lists configurations of text messages. Top task: check whether messages arrive, 2 clicks besides typing (test, send). */
export default function SmsPage() {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const [tested, setTested] = useState<SmsRow>();
  const action = (verb: keyof typeof titles) => ({
    title: titles[verb],
    code: 'sms_enable',
    when: (row: SmsRow) => isOff(row) === (verb === 'enable'),
    onClick: async ({ id }: SmsRow, screen: { reload(): void }) => {
      const response = await http.send(sms[verb], { id });
      if (!response.success) return;
      toasts.success(t(smsMessages.statusUpdated));
      screen.reload();
    },
  });
  return (
    <>
      <CrudPage
        crud={sms}
        title={smsMenu.title}
        noun={nouns.sms}
        columns={{ templateParams: { hidden: true }, remark: { hidden: true } }}
        actions={{ row: [action('enable'), action('disable'), { title: smsMessages.sendTest, code: 'sms_debug', onClick: setTested }], remove: isOff }}
      />
      <SidePanel open={tested !== undefined} title={t(smsMessages.sendTest)} width={480} onClose={() => setTested(undefined)}>
        {tested && <TestMessageForm code={tested.smsCode} placeholders={tested.templateParams ?? ['code']} />}
      </SidePanel>
    </>
  );
}
