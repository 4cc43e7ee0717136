import { useState } from 'react';
import { CrudPage, Dialogs, Http, lazyComponent, type PendingRowAction, Toasts, useService, useTranslation } from '#kernel';
import { type PayeeRow, payee, payeeStates } from '../contract.ts';
import { payeeMenu } from '../menus.ts';
import { payeeMessages } from './messages.ts';
import { nouns } from './nouns.ts';

const RevealDialog = lazyComponent(() => import('./RevealDialog.tsx'));
const { verify, reject, reveal: _reveal, people: _people, ...crud } = payee;
const verifyCode = 'payee_verify';
const rejection: PendingRowAction = {
  title: payeeMessages.rejectTitle,
  confirm: payeeMessages.reject,
  done: payeeMessages.rejected,
  call: reject,
  fields: ['reason'],
};
const hidden = Object.fromEntries(
  (['consentTime', 'consentRecorder', 'documentKind', 'reason', 'revealedBy', 'revealedTime', 'reveals'] as const).map((name) => [name, { hidden: true }]),
);
const hasNumbers = ({ documentMask, alipayMask, bankMask }: PayeeRow) => Boolean(documentMask ?? alipayMask ?? bankMask);

/** Lists payees. Top task: find a payee and verify it, 2 clicks; the record lists its income and payouts. */
export default function PayeePage() {
  const http = useService(Http);
  const dialogs = useService(Dialogs);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const [revealed, setRevealed] = useState<PayeeRow>();
  const confirmVerified = async ({ id, name, nickName }: PayeeRow, { reload }: { reload(): void }) => {
    const content = t(payeeMessages.verifyQuestion, { name: name ?? nickName });
    const question = { title: t(payeeMessages.verify), content, confirm: t(payeeMessages.verify), cancel: t(payeeMessages.cancel) };
    if (!(await dialogs.confirm(question)) || !(await http.send(verify, { id })).success) return;
    toasts.success(t(payeeMessages.verified));
    reload();
  };
  return (
    <>
      <CrudPage
        crud={crud}
        title={payeeMenu.title}
        noun={nouns.payee}
        formWidth={760}
        columns={hidden}
        actions={{
          row: [
            {
              title: payeeMessages.verify,
              code: verifyCode,
              when: ({ state, name, documentMask }) => state !== payeeStates.verified && Boolean(name && documentMask),
              isPrimary: true,
              onClick: (row, screen) => void confirmVerified(row, screen),
            },
            {
              title: payeeMessages.reject,
              code: verifyCode,
              when: ({ state }) => state !== payeeStates.rejected,
              onClick: (row, { openRowAction }) => openRowAction(row, rejection),
            },
            { title: payeeMessages.reveal, code: 'payee_reveal', when: hasNumbers, onClick: setRevealed },
          ],
        }}
      />
      {revealed && <RevealDialog row={revealed} onClose={() => setRevealed(undefined)} />}
    </>
  );
}
