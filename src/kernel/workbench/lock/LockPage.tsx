import { type FormEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import type { UserInfo } from '#shared/auth';
import { useService } from '../../base/react/services.tsx';
import { useStream } from '../../base/react/use-stream.ts';
import { useMutation } from '../../platform/http/use-mutation.ts';
import { Locale } from '../../platform/i18n/locale.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { ScreenLock } from '../../platform/lock/screen-lock.ts';
import { Session } from '../../platform/session/session.ts';
import { displayName } from '../../platform/session/use-user.ts';
import { PasswordField } from '../../ui/fields/PasswordField.tsx';
import { SubmitButton } from '../../ui/fields/SubmitButton.tsx';
import { BrandMark } from '../../ui/primitives/BrandMark.tsx';
import styles from './LockPage.module.css';

interface LockPageProps {
  readonly productTitle: string;
  /** Leads to the sign-in page when no user is signed in. */
  readonly onSignIn?: (() => void) | undefined;
}

/** Replaces the console while its screen is locked: shows the user, the time and the unlock form. */
export default function LockPage({ productTitle, onSignIn }: LockPageProps) {
  const t = useTranslation();
  const session = useService(Session);
  const { user } = session;

  useEffect(() => {
    document.title = `${t('lock.title')} - ${productTitle}`;
  }, [t, productTitle]);

  return (
    <main className={styles.page}>
      <div className={styles.brand}>
        <BrandMark size={28} />
        <span>{productTitle}</span>
      </div>
      <Clock />
      {user ? <Unlock user={user} /> : <SignedOutCard onSignIn={onSignIn} />}
    </main>
  );
}

function SignedOutCard({ onSignIn }: Pick<LockPageProps, 'onSignIn'>) {
  const t = useTranslation();
  const signIn = (event: FormEvent) => {
    event.preventDefault();
    onSignIn?.();
  };
  return (
    <section className={styles.card}>
      <h1 className={styles.name}>{t('lock.title')}</h1>
      <p className={styles.hint}>{t('lock.signedOutHint')}</p>
      <form className={styles.form} onSubmit={signIn}>
        <SubmitButton isBusy={false}>{t('lock.signIn')}</SubmitButton>
      </form>
    </section>
  );
}

function Unlock({ user }: { readonly user: UserInfo }) {
  const t = useTranslation();
  const session = useService(Session);
  const name = displayName(user);
  return (
    <section className={styles.card}>
      <span className={styles.avatar} aria-hidden="true">
        {name.slice(0, 1).toUpperCase()}
      </span>
      <h1 className={styles.name}>{name}</h1>
      <p className={styles.hint}>{t('lock.unlockHint')}</p>
      <UnlockForm account={user.account} />
      <button type="button" className={styles.signOut} onClick={() => void session.signOut()}>
        {t('lock.signOut')}
      </button>
      <p className={styles.hint}>{t('lock.signOutHint')}</p>
    </section>
  );
}

function UnlockForm({ account }: { readonly account: string }) {
  const t = useTranslation();
  const lock = useService(ScreenLock);
  const field = useRef<HTMLInputElement>(null);
  const errorId = useId();
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<string>();
  const { isPending, error, mutate } = useMutation(async () => {
    setProblem(password === '' ? t('lock.enterUnlockPassword') : undefined);
    const outcome = password === '' ? { success: false } : await lock.unlock(password);
    if (outcome.success) return outcome;
    setPassword('');
    field.current?.focus();
    return outcome;
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    void mutate();
  };

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <input type="text" name="username" autoComplete="username" value={account} readOnly hidden />
      <PasswordField
        ref={field}
        name="password"
        label={t('lock.unlockPassword')}
        value={password}
        onChange={setPassword}
        autoComplete="current-password"
        autoFocus
        problem={problem}
        describedBy={error && errorId}
      />
      <p id={errorId} className={styles.failure} role="alert">
        {error}
      </p>
      <SubmitButton isBusy={isPending}>{t(isPending ? 'lock.unlocking' : 'lock.unlock')}</SubmitButton>
    </form>
  );
}

/** Shows the time and the day in large type. */
function Clock() {
  const locale = useService(Locale);
  const language = useStream(locale.language$, locale.language);
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 1000);
    return () => clearInterval(timer);
  }, []);
  const { time, day } = useMemo(() => {
    const tag = language === 'zh' ? 'zh-CN' : 'en-GB';
    return {
      time: new Intl.DateTimeFormat(tag, { hour: '2-digit', minute: '2-digit', hour12: false }),
      day: new Intl.DateTimeFormat(tag, { weekday: 'long', month: 'long', day: 'numeric' }),
    };
  }, [language]);
  return (
    <p className={styles.clock}>
      <time dateTime={now.toISOString()}>{time.format(now)}</time>
      <span>{day.format(now)}</span>
    </p>
  );
}
