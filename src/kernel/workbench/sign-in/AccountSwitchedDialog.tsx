import { useEffect, useId, useRef } from 'react';
import { useService } from '../../base/react/services.tsx';
import { signInMethodTexts } from '../../platform/i18n/texts.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { WithTexts } from '../../platform/i18n/WithTexts.tsx';
import { Session } from '../../platform/session/session.ts';
import dialogStyles from './styles/ExpiredDialog.module.css';
import stepStyles from './styles/NextStep.module.css';
import styles from './styles/SignInPage.module.css';

interface AccountSwitchedDialogProps {
  readonly from: string;
  readonly to: string;
  readonly onClose: () => void;
}

/** Warns that another tab has signed in another user, before the operator acts under that user's name by mistake. */
export default function AccountSwitchedDialog(props: AccountSwitchedDialogProps) {
  return (
    <WithTexts part={signInMethodTexts}>
      <Switched {...props} />
    </WithTexts>
  );
}

function Switched({ from, to, onClose }: AccountSwitchedDialogProps) {
  const t = useTranslation();
  const session = useService(Session);
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className={dialogStyles.dialog} aria-labelledby={titleId} onClose={onClose}>
      <h1 id={titleId}>{t('ways.switchedTitle')}</h1>
      <p className={dialogStyles.hint}>{t('ways.switched', { from, to })}</p>
      <div className={stepStyles.backs}>
        <button type="button" className={stepStyles.again} onClick={onClose}>
          {t('ways.switchedContinue', { to })}
        </button>
        <button
          type="button"
          className={styles.back}
          onClick={() => {
            onClose();
            void session.signOut();
          }}
        >
          {t('ways.switchedLeave')}
        </button>
      </div>
    </dialog>
  );
}
