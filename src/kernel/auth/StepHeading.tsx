import styles from './SignInPage.module.css';

/** What a step of signing in is about. */
export function StepHeading({ title, hint }: { readonly title: string; readonly hint?: string | undefined }) {
  return (
    <header className={styles.heading}>
      <h1>{title}</h1>
      {hint && <p className={styles.hint}>{hint}</p>}
    </header>
  );
}
