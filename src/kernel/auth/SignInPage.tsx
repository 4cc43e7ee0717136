import { type ReactNode, useEffect, useState } from 'react';
import type { Manifest } from '#shared/manifest';
import { useText, useWords } from '../i18n/use-words.ts';
import { useService } from '../services.tsx';
import { BrandMark } from '../shell/BrandMark.tsx';
import { PasswordForm } from '../shell/PasswordForm.tsx';
import { useStream } from '../use-stream.ts';
import { SignInArtwork } from './SignInArtwork.tsx';
import { SignInControls } from './SignInControls.tsx';
import { SignInForm } from './SignInForm.tsx';
import styles from './SignInPage.module.css';
import { Session } from './session.ts';

interface SignInPageProps {
  readonly manifest: Manifest;
  /** The operator has begun to type: a good moment to fetch what comes after. */
  readonly onTyping: () => void;
  /** Signed in; the console is on its way. */
  readonly isOpening: boolean;
  /** Why the operator is here again, when it was not their choice. */
  readonly notice?: string | undefined;
}

/** The way in: account, password and code, and a new password where the first one was generated. */
export function SignInPage({ manifest, onTyping, isOpening, notice }: SignInPageProps) {
  const text = useText();
  const say = useWords();
  const session = useService(Session);
  const user = useStream(session.user$, session.user);
  const [password, setPassword] = useState<string>();
  const mustChange = user?.password_expired === true;
  const { product } = manifest;

  useEffect(() => {
    document.title = text('signIn.title');
  }, [text]);

  return (
    <div className={styles.page}>
      <section className={styles.brand} aria-label={product.name}>
        <div className={styles.brandName}>
          <BrandMark size={36} />
          <span>{product.name}</span>
        </div>
        <SignInArtwork />
        <div className={styles.promise}>
          <p className={styles.promiseLine}>{text('signIn.promise')}</p>
          <p>{text('signIn.promiseDetail')}</p>
        </div>
      </section>
      <main className={styles.side}>
        <SignInControls />
        <div className={styles.card}>
          <header className={styles.heading}>
            <div className={styles.cardMark}>
              <BrandMark size={40} />
            </div>
            <p className={styles.product}>{say(product.title)}</p>
            <h1>{text(mustChange ? 'signIn.expiredTitle' : 'signIn.welcome')}</h1>
            <p className={styles.hint}>{text(mustChange ? 'signIn.expiredHint' : 'signIn.welcomeHint')}</p>
          </header>
          {notice && !mustChange && <Notice>{notice}</Notice>}
          {mustChange ? (
            <NewPasswordStep knownPassword={password} />
          ) : (
            <SignInForm prefix={manifest.storagePrefix} onTyping={onTyping} isOpening={isOpening} onSignedIn={setPassword} />
          )}
        </div>
      </main>
    </div>
  );
}

const Notice = ({ children }: { readonly children: ReactNode }) => (
  <p className={styles.notice} role="status">
    {children}
  </p>
);

function NewPasswordStep({ knownPassword }: { readonly knownPassword: string | undefined }) {
  const text = useText();
  const session = useService(Session);
  return (
    <>
      <PasswordForm knownPassword={knownPassword} autoFocus onChanged={() => undefined} />
      <button type="button" className={styles.back} onClick={() => void session.signOut()}>
        {text('signIn.backToSignIn')}
      </button>
    </>
  );
}
