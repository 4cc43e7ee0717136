import type { ReactNode } from 'react';
import styles from './SubmitButton.module.css';

/** Renders the submit button of a form; while busy it shows a spinner and ignores further clicks, but keeps the focus. */
export function SubmitButton({ isBusy, children }: { readonly isBusy: boolean; readonly children: ReactNode }) {
  return (
    <button type="submit" className={styles.button} aria-disabled={isBusy} data-busy={isBusy}>
      {isBusy && <span className={styles.spinner} aria-hidden="true" />}
      {children}
    </button>
  );
}
