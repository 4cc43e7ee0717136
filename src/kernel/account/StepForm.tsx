import type { FormEvent, ReactNode } from 'react';
import { useText } from '../i18n/use-words.ts';
import { SubmitButton } from '../shell/SubmitButton.tsx';
import styles from './AccountPage.module.css';

interface StepFormProps {
  readonly why: string;
  /** What was wrong with the last try, under this id. */
  readonly failure: string | undefined;
  readonly failureId: string;
  readonly isBusy: boolean;
  /** What leads on, in words. */
  readonly proceed: string;
  readonly onSubmit: (event: FormEvent) => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** One step of setting something up: why it is asked, what is asked, and the two ways on. */
export function StepForm({ why, failure, failureId, isBusy, proceed, onSubmit, onClose, children }: StepFormProps) {
  const text = useText();
  return (
    <form className={styles.form} noValidate onSubmit={onSubmit}>
      <p className={styles.why}>{why}</p>
      {children}
      <p id={failureId} className={styles.failure} role="alert">
        {failure}
      </p>
      <div className={styles.buttons}>
        <button type="button" className={styles.action} onClick={onClose}>
          {text('account.cancel')}
        </button>
        <SubmitButton isBusy={isBusy}>{isBusy ? text('account.waiting') : proceed}</SubmitButton>
      </div>
    </form>
  );
}
