import type { ReactNode } from 'react';
import styles from './SignInMethods.module.css';

/** Renders the button of one sign-in method: an icon with its name below. */
export function SignInButton({ icon, label, onClick }: { readonly icon: ReactNode; readonly label: string; readonly onClick: () => void }) {
  return (
    <button type="button" className={styles.method} onClick={onClick}>
      <span className={styles.icon}>{icon}</span>
      {label}
    </button>
  );
}
