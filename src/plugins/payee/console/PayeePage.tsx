import { useRef, useState } from 'react';
import { CrudPage, Dialogs, Http, lazyComponent, type PendingRowAction, Session, Toasts, useService, useTranslation } from '#kernel';
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
  (['consentTime', 'consentRecorder', 'documentKind', 'identityByName', 'reason', 'revealedBy', 'revealedTime', 'reveals'] as const).map((name) => [
    name,
    { hidden: true },
  ]),
);
const hasNumbers = ({ documentMask, alipayMask, bankMask }: PayeeRow) => Boolean(documentMask ?? alipayMask ?? bankMask);

/** Lists payees. Top task: find a payee and verify it, 2 clicks; the record lists its income and payouts. */
export default function PayeePage() {
  const http = useService(Http);
  const dialogs = useService(Dialogs);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const own = useService(Session).user?.user_id;
  const [revealed, setRevealed] = useState<{ readonly row: PayeeRow; readonly reload: () => void }>();
  // Users review the numbers that they have revealed, whatever the list has by then. A list that is loaded later has the version of the reveal, or a newer one.
  const revealedVersions = useRef(new Map<string, string>());
  const takeVersion = ({ id, version }: PayeeRow) => {
    const revealed = revealedVersions.current.get(id);
    revealedVersions.current.delete(id);
    return revealed ?? version;
  };
  // Users cannot verify themselves, or what they have entered themselves.
  const canVerify = ({ id, state, name, documentMask, identityBy }: PayeeRow) =>
    state !== payeeStates.verified && Boolean(name && documentMask) && id !== own && identityBy !== own;
  const confirmVerified = async (row: PayeeRow, { reload }: { reload(): void }) => {
    const { id, name, nickName } = row;
    const content = t(payeeMessages.verifyQuestion, { name: name ?? nickName });
    const question = { title: t(payeeMessages.verify), content, confirm: t(payeeMessages.verify), cancel: t(payeeMessages.cancel) };
    if (!(await dialogs.confirm(question))) return;
    if ((await http.send(verify, { id, version: takeVersion(row) })).success) toasts.success(t(payeeMessages.verified));
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
              when: canVerify,
              isPrimary: true,
              onClick: (row, screen) => confirmVerified(row, screen),
            },
            {
              title: payeeMessages.reject,
              code: verifyCode,
              when: ({ state }) => state !== payeeStates.rejected,
              onClick: (row, { openRowAction }) => openRowAction(row, { ...rejection, input: { version: takeVersion(row) } }),
            },
            { title: payeeMessages.reveal, code: 'payee_reveal', when: hasNumbers, onClick: (row, { reload }) => setRevealed({ row, reload }) },
          ],
        }}
      />
      {revealed && (
        <RevealDialog
          row={revealed.row}
          onRevealed={({ version }) => {
            revealedVersions.current.set(revealed.row.id, version);
            revealed.reload();
          }}
          onClose={() => setRevealed(undefined)}
        />
      )}
    </>
  );
}
