import { type FormEvent, type ReactNode, useState } from 'react';
import { ActionButton, copyText, loadingMessages, SubmitButton, Toasts, TransportError, useService, useTranslation } from '#kernel';
import { accountMessages } from './messages.ts';
import styles from './sections.module.css';
import stepStyles from './steps.module.css';

interface StepFormProps {
  readonly reason: string;
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
export function StepForm({ reason, failure, failureId, isBusy, proceed, onSubmit, onClose, children }: StepFormProps) {
  const t = useTranslation();
  return (
    <form className={stepStyles.form} noValidate onSubmit={onSubmit}>
      <p className={stepStyles.reason}>{reason}</p>
      {children}
      <p id={failureId} className={stepStyles.failure} role="alert">
        {failure}
      </p>
      <div className={styles.buttons}>
        <ActionButton onClick={onClose}>{t('shell.cancel')}</ActionButton>
        <SubmitButton isBusy={isBusy}>{isBusy ? t(loadingMessages.waiting) : proceed}</SubmitButton>
      </div>
    </form>
  );
}

/** Copies a text to the clipboard and reports whether that worked. */
export function CopyText({ value }: { readonly value: string }) {
  const t = useTranslation();
  const toasts = useService(Toasts);
  const copy = async () => {
    if (await copyText(value)) toasts.success(t(accountMessages.copied));
    else toasts.error(t(accountMessages.copyFailed));
  };
  return <ActionButton onClick={() => void copy()}>{t(accountMessages.copy)}</ActionButton>;
}

/** Runs an action that resolves with an error message or `undefined`, one attempt at a time. */
export function useAttempt(attempt: (value: string) => Promise<string | undefined>) {
  const t = useTranslation();
  const [failure, setFailure] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const run = async (value: string): Promise<boolean> => {
    if (isBusy) return false;
    setFailure(undefined);
    setIsBusy(true);
    const message = await attempt(value).catch((error: unknown) => {
      if (error instanceof TransportError) return t(error.localizedMessage);
      throw error;
    });
    setIsBusy(false);
    setFailure(message);
    return message === undefined;
  };
  return { failure, isBusy, run };
}
