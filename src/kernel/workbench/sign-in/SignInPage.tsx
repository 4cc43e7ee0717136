import { Suspense, useDeferredValue, useEffect, useState } from 'react';
import type { Manifest } from '#shared/manifest';
import { useService } from '../../base/react/services.tsx';
import { useStream } from '../../base/react/use-stream.ts';
import { Locale } from '../../platform/i18n/locale.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import type { Invitation } from '../../platform/session/invitation.ts';
import { Session } from '../../platform/session/session.ts';
import { useUser } from '../../platform/session/use-user.ts';
import { Branding } from '../../platform/theme/branding.ts';
import { Theme } from '../../platform/theme/theme.ts';
import { useIsDark } from '../../platform/theme/use-is-dark.ts';
import { lazyComponent } from '../../ui/loading/lazy-component.tsx';
import { BrandMark } from '../../ui/primitives/BrandMark.tsx';
import { Icon } from '../../ui/primitives/Icon.tsx';
import { IconButton } from '../../ui/primitives/IconButton.tsx';
import { SignIn } from './SignIn.tsx';
import { SignInArtwork } from './SignInArtwork.tsx';
import { returnToAddress } from './sign-in-redirect.ts';
import styles from './styles/SignInPage.module.css';

/** Loaded on demand: only a user with a generated password sees it. */
const PasswordForm = lazyComponent(async () => ({ default: (await import('../../ui/fields/PasswordForm.tsx')).PasswordForm }));

interface SignInPageProps {
  readonly manifest: Manifest;
  /** Called at the first input, so that the caller can preload the console. */
  readonly onTyping: () => void;
  /** True once sign-in has succeeded and the console is loading. */
  readonly isOpening: boolean;
  /** Reason for the sign-out, when it was not the operator's choice. */
  readonly notice?: string | undefined;
  /** Invitation that this address carried. */
  readonly invitation?: Invitation | undefined;
  /** Called when the invitation has been accepted or dismissed. */
  readonly onInvitationClosed?: () => void;
}

/** Renders the sign-in form, and a form for a new password where the first one was generated. */
export function SignInPage({ manifest, onTyping, isOpening, notice, invitation, onInvitationClosed }: SignInPageProps) {
  const t = useTranslation();
  const user = useUser();
  const [password, setPassword] = useState<string>();
  const mustChange = user?.password_expired === true && !invitation;
  const { name, title, background } = useService(Branding);
  const [own, setOwn] = useState<string>();
  const picture = own ?? background;
  // The form is laid out first, and what is beside it in the next frame.
  const isBrandShown = useDeferredValue(true, false);

  useEffect(() => {
    document.title = t('signIn.title');
  }, [t]);

  return (
    <div className={styles.page}>
      <section className={styles.brand} aria-label={name}>
        {isBrandShown && (
          <>
            {picture && <img key={picture} className={styles.picture} src={picture} alt="" />}
            <div className={styles.brandName}>
              <BrandMark size={36} />
              <span>{name}</span>
            </div>
            {!picture && <SignInArtwork />}
            <div className={styles.intro}>
              <p className={styles.slogan}>{t('signIn.slogan')}</p>
              <p>{t('signIn.sloganDetail')}</p>
            </div>
          </>
        )}
      </section>
      <main className={styles.side}>
        <SignInControls />
        <div className={styles.card}>
          {mustChange ? (
            <>
              <Heading title={t('signIn.expiredTitle')} hint={t('signIn.expiredHint')} product={t(title)} />
              <NewPasswordStep knownPassword={password} />
            </>
          ) : (
            <SignIn
              manifest={manifest}
              onTyping={onTyping}
              isOpening={isOpening}
              onSignedIn={(used) => {
                setPassword(used);
                onInvitationClosed?.();
              }}
              invitation={invitation}
              onInvitationClosed={onInvitationClosed}
              onPicture={setOwn}
              back={returnToAddress}
              heading={
                <>
                  <Heading
                    title={t(invitation ? 'signIn.invitedTitle' : 'signIn.welcome')}
                    hint={t(invitation ? 'signIn.invitedHint' : 'signIn.welcomeHint')}
                    product={t(title)}
                  />
                  {notice && (
                    <p className={styles.notice} role="status">
                      {notice}
                    </p>
                  )}
                </>
              }
            />
          )}
        </div>
      </main>
    </div>
  );
}

const Heading = ({ title, hint, product }: { readonly title: string; readonly hint: string; readonly product: string }) => (
  <header className={styles.heading}>
    <div className={styles.cardMark}>
      <BrandMark size={40} />
    </div>
    <p className={styles.product}>{product}</p>
    <h1>{title}</h1>
    <p className={styles.hint}>{hint}</p>
  </header>
);

function NewPasswordStep({ knownPassword }: { readonly knownPassword: string | undefined }) {
  const t = useTranslation();
  const session = useService(Session);
  return (
    <>
      <Suspense>
        <PasswordForm knownPassword={knownPassword} autoFocus onChanged={() => undefined} />
      </Suspense>
      <button type="button" className={styles.back} onClick={() => void session.signOut()}>
        {t('signIn.backToSignIn')}
      </button>
    </>
  );
}

/** Offers the language and the light or dark theme before sign-in. */
function SignInControls() {
  const t = useTranslation();
  const locale = useService(Locale);
  const theme = useService(Theme);
  const language = useStream(locale.language$, locale.language);
  const isDark = useIsDark();
  return (
    <div className={styles.controls}>
      <button
        type="button"
        className={styles.language}
        lang={language === 'zh' ? 'en' : 'zh-CN'}
        onClick={() => locale.setLanguage(language === 'zh' ? 'en' : 'zh')}
      >
        <Icon name="globe" size={16} />
        {t('signIn.otherLanguage')}
      </button>
      <IconButton label={t(isDark ? 'shell.light' : 'shell.dark')} onClick={() => theme.select(isDark ? 'light' : 'dark')}>
        <Icon name={isDark ? 'light' : 'dark'} />
      </IconButton>
    </div>
  );
}
