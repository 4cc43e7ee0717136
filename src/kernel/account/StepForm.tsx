import type { FormEvent, ReactNode } from 'react';
import { useTranslation } from '../platform/i18n/use-translation.ts';
import { SubmitButton } from '../ui/fields/SubmitButton.tsx';
import styles from './AccountPage.module.css';

interface StepFormProps {
  readonly why: string;
  /** Error message of the last attempt; its element has the id `failureId`. */
  readonly failure: string | undefined;
  readonly failureId: string;
  readonly isBusy: boolean;
  /** Label of the submit button. */
  readonly proceed: string;
  readonly onSubmit: (event: FormEvent) => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Renders one step of a setup: the reason, the fields, the error and the buttons to continue or cancel. */
export function StepForm({ why, failure, failureId, isBusy, proceed, onSubmit, onClose, children }: StepFormProps) {
  const t = useTranslation();
  return (
    <form className={styles.form} noValidate onSubmit={onSubmit}>
      <p className={styles.why}>{why}</p>
      {children}
      <p id={failureId} className={styles.failure} role="alert">
        {failure}
      </p>
      <div className={styles.buttons}>
        <button type="button" className={styles.action} onClick={onClose}>
          {t('account.cancel')}
        </button>
        <SubmitButton isBusy={isBusy}>{isBusy ? t('account.waiting') : proceed}</SubmitButton>
      </div>
    </form>
  );
}
