import { type FormEvent, type ReactNode, type Ref, useEffect, useRef } from 'react';
import { SubmitButton } from '../../../ui/fields/SubmitButton.tsx';
import dialogStyles from '../styles/ExpiredDialog.module.css';
import stepStyles from '../styles/NextStep.module.css';
import styles from '../styles/SignInPage.module.css';

/** Renders the title and the hint of a sign-in step. */
export function StepHeading({ title, hint }: { readonly title: string; readonly hint?: string | undefined }) {
  return (
    <header className={styles.heading}>
      <h1>{title}</h1>
      {hint && <p className={styles.hint}>{hint}</p>}
    </header>
  );
}

interface StepFormProps {
  readonly ref?: Ref<HTMLFormElement>;
  /** Fields of the form. */
  readonly children: ReactNode;
  readonly failure: string | undefined;
  /** Id of the element with the failure, which describes the fields. */
  readonly failureId: string;
  /** True where no toast announces the failure. */
  readonly announces?: boolean;
  readonly isBusy: boolean;
  /** Text of the submit button. */
  readonly submit: string;
  readonly onSubmit: (event: FormEvent) => void;
}

/** Form of a sign-in step, with the refusal of the server below its fields. */
export function StepForm({ ref, children, failure, failureId, announces = false, isBusy, submit, onSubmit }: StepFormProps) {
  return (
    <form ref={ref} className={styles.form} onSubmit={onSubmit} noValidate>
      {children}
      <p id={failureId} className={styles.failure} role={announces ? 'alert' : undefined}>
        {failure}
      </p>
      <SubmitButton isBusy={isBusy}>{submit}</SubmitButton>
    </form>
  );
}

/** Renders a field beside its button or picture. */
export const StepFieldRow = ({ children }: { readonly children: ReactNode }) => <div className={styles.captcha}>{children}</div>;

/** Shows the result of a step; `alert` announces a failure. */
export const StepNotice = ({ role, children }: { readonly role: 'status' | 'alert'; readonly children: ReactNode }) => (
  <p className={styles.notice} role={role}>
    {children}
  </p>
);

/** Lists the buttons that leave a step. */
export const StepActions = ({ children }: { readonly children: ReactNode }) => <div className={stepStyles.backs}>{children}</div>;

interface StepButtonProps {
  readonly ref?: Ref<HTMLButtonElement>;
  readonly isPrimary?: boolean;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

/** Button that leaves a step; the primary one is what most users choose. */
export const StepButton = ({ ref, isPrimary = false, onClick, children }: StepButtonProps) => (
  <button ref={ref} type="button" className={isPrimary ? stepStyles.again : styles.back} onClick={onClick}>
    {children}
  </button>
);

interface StepDialogProps {
  readonly title: string;
  readonly titleId: string;
  readonly children: ReactNode;
  readonly onLeave: () => void;
  /** Text of the button that leaves the dialog; without it the content has one. */
  readonly leave?: string | undefined;
}

/** Shows a sign-in step as a dialog over the page; Escape leaves it. */
export function StepDialog({ title, titleId, children, onLeave, leave }: StepDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      className={dialogStyles.dialog}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onLeave();
      }}
    >
      <h1 id={titleId}>{title}</h1>
      {children}
      {leave && (
        <button type="button" className={dialogStyles.leave} onClick={onLeave}>
          {leave}
        </button>
      )}
    </dialog>
  );
}

/** Explains a dialog below its title. */
export const StepDialogHint = ({ role, children }: { readonly role?: 'status'; readonly children: ReactNode }) => (
  <p className={dialogStyles.hint} role={role}>
    {children}
  </p>
);
