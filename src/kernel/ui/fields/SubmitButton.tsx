import type { ReactNode } from 'react';
import styles from './SubmitButton.module.css';

/** Renders the submit button of a form. While busy it shows a spinner, keeps the focus and ignores clicks and the Enter key; `requestSubmit()` still submits. */
export function SubmitButton({ isBusy, children }: { readonly isBusy: boolean; readonly children: ReactNode }) {
  return (
    // A browser submits on Enter through a click on this button.
    <button type="submit" className={styles.button} aria-disabled={isBusy} data-busy={isBusy} onClick={(event) => isBusy && event.preventDefault()}>
      {isBusy && <span className={styles.spinner} aria-hidden="true" />}
      {children}
    </button>
  );
}
