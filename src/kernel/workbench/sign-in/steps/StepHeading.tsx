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
