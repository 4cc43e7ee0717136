import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { Session } from '../auth/session.ts';
import { useText } from '../i18n/use-words.ts';
import { useService } from '../services.tsx';
import { BrandMark } from '../shell/BrandMark.tsx';
import { PasswordField } from '../shell/PasswordField.tsx';
import { SubmitButton } from '../shell/SubmitButton.tsx';
import { Clock } from './Clock.tsx';
import styles from './LockPage.module.css';
import { ScreenLock } from './screen-lock.ts';

/** All there is of the console while its screen is locked: whose it is, the time, and the way back. */
export default function LockPage({ productTitle }: { readonly productTitle: string }) {
  const text = useText();
  const session = useService(Session);
  const { user } = session;
  const name = user?.real_name || user?.user_name || '';

  useEffect(() => {
    document.title = `${text('lock.title')} - ${productTitle}`;
  }, [text, productTitle]);

  return (
    <main className={styles.page}>
      <div className={styles.brand}>
        <BrandMark size={28} />
        <span>{productTitle}</span>
      </div>
      <Clock />
      <section className={styles.card}>
        <span className={styles.avatar} aria-hidden="true">
          {name.slice(0, 1).toUpperCase()}
        </span>
        <h1 className={styles.name}>{name}</h1>
        <p className={styles.hint}>{text('lock.unlockHint')}</p>
        <UnlockForm account={user?.account ?? ''} />
        <button type="button" className={styles.signOut} onClick={() => void session.signOut()}>
          {text('lock.signOut')}
        </button>
        <p className={styles.hint}>{text('lock.signOutHint')}</p>
      </section>
    </main>
  );
}

function UnlockForm({ account }: { readonly account: string }) {
  const text = useText();
  const lock = useService(ScreenLock);
  const field = useRef<HTMLInputElement>(null);
  const failureId = useId();
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setFailure(undefined);
    setProblem(password === '' ? text('lock.enterUnlockPassword') : undefined);
    if (password === '') return field.current?.focus();
    setBusy(true);
    const outcome = await lock.unlock(password);
    setBusy(false);
    if (outcome.success) return;
    setFailure(outcome.message);
    setPassword('');
    field.current?.focus();
  };

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <input type="text" name="username" autoComplete="username" value={account} readOnly hidden />
      <PasswordField
        ref={field}
        name="password"
        label={text('lock.unlockPassword')}
        value={password}
        onChange={setPassword}
        autoComplete="current-password"
        autoFocus
        problem={problem}
        describedBy={failure && failureId}
      />
      <p id={failureId} className={styles.failure} role="alert">
        {failure}
      </p>
      <SubmitButton isBusy={isBusy}>{text(isBusy ? 'lock.unlocking' : 'lock.unlock')}</SubmitButton>
    </form>
  );
}
