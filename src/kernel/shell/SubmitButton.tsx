import type { ReactNode } from 'react';
import styles from './SubmitButton.module.css';

/** The one button that sends a form; while busy it says so and takes no second press, yet keeps the focus. */
export function SubmitButton({ isBusy, children }: { readonly isBusy: boolean; readonly children: ReactNode }) {
  return (
    <button type="submit" className={styles.button} aria-disabled={isBusy} data-busy={isBusy}>
      {isBusy && <span className={styles.spinner} aria-hidden="true" />}
      {children}
    </button>
  );
}
