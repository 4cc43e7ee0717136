import { useEffect, useId, useRef, useState } from 'react';
import { secondFactor } from '#shared/second-factor';
import { useService } from '../base/react/services.tsx';
import { Toasts } from '../platform/feedback/toasts.ts';
import { Http } from '../platform/http/http.ts';
import { useTranslation } from '../platform/i18n/use-translation.ts';
import styles from './AccountPage.module.css';
import { EnrolStep } from './EnrolStep.tsx';
import { ProofStep } from './ProofStep.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';

/** Names the change to the second factor that the dialog carries out. */
export type SecondFactorChange = 'enrol' | 'disable' | 'renew';

const titles = { enrol: 'account.enrol', disable: 'account.disable', renew: 'account.renewCodes' } as const;
const reasons = { enrol: 'account.enrolWhy', disable: 'account.disableWhy', renew: 'account.renewWhy' } as const;

/** Asks for the password first and then makes the change; recovery codes are shown only once. */
export default function SecondFactorDialog({ errand, onClose }: { readonly errand: SecondFactorChange; readonly onClose: () => void }) {
  const t = useTranslation();
  const http = useService(Http);
  const toasts = useService(Toasts);
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const [enrolment, setEnrolment] = useState<{ secret: string; uri: string }>();
  const [codes, setCodes] = useState<readonly string[]>();

  useEffect(() => dialog.current?.showModal(), []);

  const prove = async (password: string): Promise<string | undefined> => {
    const quiet = { quiet: true };
    if (errand === 'enrol') {
      const answer = await http.send(secondFactor.enrol, { password }, quiet);
      if (answer.success) setEnrolment(answer.data);
      return answer.success ? undefined : answer.msg;
    }
    if (errand === 'renew') {
      const answer = await http.send(secondFactor.renewCodes, { password }, quiet);
      if (answer.success) setCodes(answer.data.recoveryCodes);
      return answer.success ? undefined : answer.msg;
    }
    const answer = await http.send(secondFactor.disable, { password }, quiet);
    if (!answer.success) return answer.msg;
    toasts.success(t('account.secondFactorOff'));
    onClose();
    return undefined;
  };
  const confirm = async (code: string): Promise<string | undefined> => {
    const answer = await http.send(secondFactor.confirm, { code }, { quiet: true });
    if (!answer.success) return answer.msg;
    toasts.success(t('account.secondFactorOn'));
    setCodes(answer.data.recoveryCodes);
    return undefined;
  };

  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        // Escape must not close the dialog while it shows codes that cannot be shown again.
        if (!codes) onClose();
      }}
    >
      <h2 id={titleId}>{t(codes ? 'account.codesTitle' : titles[errand])}</h2>
      {codes ? (
        <RecoveryCodes codes={codes} onClose={onClose} />
      ) : enrolment ? (
        <EnrolStep {...enrolment} onConfirm={confirm} onClose={onClose} />
      ) : (
        <ProofStep why={t(reasons[errand])} onProve={prove} onClose={onClose} />
      )}
    </dialog>
  );
}
