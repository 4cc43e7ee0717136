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
import artworkStyles from './SignInArtwork.module.css';
import { returnToAddress } from './sign-in-redirect.ts';
import { type SignInMethod, SignInMethodList } from './steps/sign-in-method.ts';
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
  const mustSetUp = user?.second_factor_missing === true && !mustChange && !invitation;
  const { name, title, background } = useService(Branding);
  const [tenantPicture, setTenantPicture] = useState<string>();
  const picture = tenantPicture ?? background;
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
          {mustSetUp ? (
            <Suspense>
              <SetupStep />
            </Suspense>
          ) : mustChange ? (
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
              onPicture={setTenantPicture}
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

/** Shows the setup of the second factor that a role requires. */
function SetupStep() {
  const list = useService(SignInMethodList);
  const [methods, setMethods] = useState<readonly SignInMethod[]>([]);
  useEffect(() => {
    list.load().then(setMethods, () => undefined);
  }, [list]);
  const Step = methods.find((method) => method.SetupStep)?.SetupStep;
  return Step && <Step />;
}

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

const board = { left: 90, top: 70, width: 380, height: 190 };
/** Distance between the bulbs around the sign, which has 14 along its width and 7 along its height. */
const bulbSpacing = board.width / 14;

const lines = [
  { x: 150, y: 128, width: 190 },
  { x: 150, y: 158, width: 260 },
  { x: 150, y: 188, width: 150 },
];

/** Draws a theatre marquee at night: a lit sign, and below it the tasks that were carried out. */
function SignInArtwork() {
  return (
    <svg className={artworkStyles.artwork} viewBox="0 0 560 420" aria-hidden="true" focusable="false">
      <defs>
        <radialGradient id="artwork-glow">
          <stop offset="0" stopColor="var(--brand)" stopOpacity="0.5" />
          <stop offset="1" stopColor="var(--brand)" stopOpacity="0" />
        </radialGradient>
        <linearGradient id="artwork-board" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="#ffffff" />
          <stop offset="1" stopColor="var(--on-deep-soft)" />
        </linearGradient>
      </defs>
      <ellipse cx="280" cy="165" rx="280" ry="170" fill="url(#artwork-glow)" />
      <path d="M120 40h320l22 30H98z" fill="var(--brand-deepest)" />
      <path d="M210 40l14-22h112l14 22z" fill="var(--brand-deeper)" />
      <rect x={board.left - 16} y={board.top - 16} width={board.width + 32} height={board.height + 32} rx="18" fill="var(--brand-deepest)" />
      <rect x={board.left + 16} y={board.top + 16} width={board.width - 32} height={board.height - 32} rx="8" fill="url(#artwork-board)" />
      <Bulbs className={artworkStyles.bulb} offset={0} />
      <Bulbs className={artworkStyles.bulbLate} offset={-bulbSpacing} />
      {lines.map(({ x, y, width }, at) => (
        <g key={y}>
          <rect x={x - 20} y={y - 1} width="12" height="12" rx="3" fill={at === 0 ? '#ffb938' : 'var(--brand)'} />
          <rect x={x} y={y} width={width} height="10" rx="5" fill={at === 0 ? 'var(--brand-deep)' : 'rgb(var(--primary-3))'} />
        </g>
      ))}
      <path d="M352 196l10 10 20-22" fill="none" stroke="#21a366" strokeWidth="7" strokeLinecap="round" strokeLinejoin="round" />
      <TaskCard x={64} y={304} tone="var(--brand)" />
      <TaskCard x={216} y={320} tone="#ffb938" />
      <TaskCard x={368} y={304} tone="#45c58b" />
    </svg>
  );
}

/** Draws every second bulb around the sign as the round dots of one dashed line, so that they light up as one element. */
function Bulbs({ className, offset }: { readonly className: string | undefined; readonly offset: number }) {
  const { left: x, top: y, width, height } = board;
  return (
    <rect
      className={className}
      {...{ x, y, width, height }}
      fill="none"
      stroke="#ffd479"
      strokeWidth="11"
      strokeLinecap="round"
      strokeDasharray={`0 ${2 * bulbSpacing}`}
      strokeDashoffset={offset}
    />
  );
}

function TaskCard({ x, y, tone }: { readonly x: number; readonly y: number; readonly tone: string }) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <rect width="128" height="84" rx="10" fill="#ffffff" fillOpacity="0.12" stroke="#ffffff" strokeOpacity="0.28" />
      <circle cx="24" cy="26" r="11" fill={tone} />
      <path d="M19 26l4 4 7-8" fill="none" stroke="#fff" strokeWidth="2.6" strokeLinecap="round" strokeLinejoin="round" />
      <rect x="44" y="20" width="66" height="8" rx="4" fill="#fff" fillOpacity="0.75" />
      <rect x="14" y="50" width="96" height="6" rx="3" fill="#fff" fillOpacity="0.38" />
      <rect x="14" y="64" width="60" height="6" rx="3" fill="#fff" fillOpacity="0.38" />
    </g>
  );
}
