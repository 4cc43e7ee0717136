import type { ReactNode } from 'react';
import styles from './SignInMethods.module.css';

/** Renders the button of one sign-in method: an icon with its name below. */
export function SignInButton({ icon, label, onChoose }: { readonly icon: ReactNode; readonly label: string; readonly onChoose: () => void }) {
  return (
    <button type="button" className={styles.way} onClick={onChoose}>
      <span className={styles.icon}>{icon}</span>
      {label}
    </button>
  );
}
