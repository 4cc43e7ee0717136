import { useEffect, useId, useRef } from 'react';
import { wayTexts } from '../i18n/texts.ts';
import { useText } from '../i18n/use-words.ts';
import { WithTexts } from '../i18n/WithTexts.tsx';
import { useService } from '../services.tsx';
import dialogStyles from './ExpiredDialog.module.css';
import stepStyles from './FurtherStep.module.css';
import styles from './SignInPage.module.css';
import { Session } from './session.ts';

interface SwitchedDialogProps {
  readonly from: string;
  readonly to: string;
  readonly onClose: () => void;
}

/** Says that another tab has signed somebody else in, before anything is done in their name by mistake. */
export default function SwitchedDialog(props: SwitchedDialogProps) {
  return (
    <WithTexts part={wayTexts}>
      <Switched {...props} />
    </WithTexts>
  );
}

function Switched({ from, to, onClose }: SwitchedDialogProps) {
  const text = useText();
  const session = useService(Session);
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className={dialogStyles.dialog} aria-labelledby={titleId} onClose={onClose}>
      <h1 id={titleId}>{text('ways.switchedTitle')}</h1>
      <p className={dialogStyles.hint}>{text('ways.switched', { from, to })}</p>
      <div className={stepStyles.backs}>
        <button type="button" className={stepStyles.again} onClick={onClose}>
          {text('ways.switchedContinue', { to })}
        </button>
        <button
          type="button"
          className={styles.back}
          onClick={() => {
            onClose();
            void session.signOut();
          }}
        >
          {text('ways.switchedLeave')}
        </button>
      </div>
    </dialog>
  );
}
