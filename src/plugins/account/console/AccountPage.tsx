import { type ReactNode, Suspense, useMemo, useRef, useState } from 'react';
import {
  ActionButton,
  ContributionBoundary,
  Icon,
  LoadedPart,
  lazyComponent,
  PasswordForm,
  type SlotContribution,
  Toasts,
  useQuery,
  useService,
  useSlot,
  useTranslation,
} from '#kernel';
import { secondFactor } from '#shared/second-factor';
import { type AccountSection, AccountSections } from '../extension.ts';
import styles from './AccountPage.module.css';
import { accountMessages } from './messages.ts';
import { ProfileSection } from './ProfileSection.tsx';
import { passkeyMessages } from './passkey-messages.ts';
import type { SecondFactorChange } from './SecondFactorDialog.tsx';
import { SessionsSection } from './SessionsSection.tsx';
import sectionStyles from './sections.module.css';

interface ShownSection extends Omit<AccountSection, 'load'> {
  readonly key: string;
  readonly content: ReactNode;
}

/** Shows everything users may see and change about themselves, one section below the other. */
export default function AccountPage() {
  const t = useTranslation();
  const page = useRef<HTMLDivElement>(null);
  const added = useSlot(AccountSections).map(
    (contribution): ShownSection => ({ ...contribution.part, key: contribution.key, content: <AddedSection contribution={contribution} /> }),
  );
  const sections: readonly ShownSection[] = [
    { key: 'profile', icon: 'user', title: accountMessages.profile, content: <ProfileSection /> },
    { key: 'password', icon: 'key', title: accountMessages.password, hint: accountMessages.passwordHint, content: <PasswordSection /> },
    { key: 'secondFactor', icon: 'lock', title: accountMessages.secondFactor, hint: accountMessages.secondFactorHint, content: <SecondFactorSection /> },
    { key: 'passkeys', icon: 'key', title: passkeyMessages.title, hint: passkeyMessages.hint, content: <Passkeys /> },
    ...added,
    { key: 'sessions', icon: 'system', title: accountMessages.sessions, hint: accountMessages.sessionsHint, content: <SessionsSection /> },
  ];
  const goTo = (key: string) => {
    const heading = page.current?.querySelector<HTMLElement>(`[data-section="${key}"] h2`);
    heading?.scrollIntoView({ block: 'start' });
    heading?.focus({ preventScroll: true });
  };
  return (
    <div ref={page} className={styles.page}>
      <nav className={styles.list} aria-label={t(accountMessages.sections)}>
        <ul>
          {sections.map(({ key, icon, title }) => (
            <li key={key}>
              <button type="button" onClick={() => goTo(key)}>
                <Icon name={icon} />
                {t(title)}
              </button>
            </li>
          ))}
        </ul>
      </nav>
      <div className={styles.sections}>
        {sections.map(({ key, title, hint, content }) => (
          <section key={key} className={styles.section} data-section={key} aria-label={t(title)}>
            <h2 tabIndex={-1}>{t(title)}</h2>
            {hint && <p className={sectionStyles.hint}>{t(hint)}</p>}
            {content}
          </section>
        ))}
      </div>
    </div>
  );
}

const PasskeysSection = lazyComponent(() => import('./PasskeysSection.tsx'));

const Passkeys = () => (
  <Suspense>
    <PasskeysSection />
  </Suspense>
);

function PasswordSection() {
  const t = useTranslation();
  const toasts = useService(Toasts);
  return (
    <div className={styles.narrow}>
      <PasswordForm onChanged={() => toasts.success(t(accountMessages.passwordChanged))} />
    </div>
  );
}

function AddedSection({ contribution }: { readonly contribution: SlotContribution<AccountSection> }) {
  const { load } = contribution.part;
  const Content = useMemo(() => lazyComponent(load), [load]);
  return (
    <ContributionBoundary owner={contribution}>
      <Content />
    </ContributionBoundary>
  );
}

const SecondFactorDialog = lazyComponent(() => import('./SecondFactorDialog.tsx'));

/** Shows whether signing in requires a code from an authenticator app, with the actions that change it. */
function SecondFactorSection() {
  const t = useTranslation();
  const query = useQuery(secondFactor.status, {}, { quiet: true });
  const [change, setChange] = useState<SecondFactorChange>();
  const button = (change: SecondFactorChange, danger = false) => (
    <ActionButton {...(danger ? { variant: 'danger' } : {})} onClick={() => setChange(change)}>
      {t(change === 'renew' ? accountMessages.renewCodes : change === 'disable' ? accountMessages.disable : accountMessages.enrol)}
    </ActionButton>
  );
  return (
    <LoadedPart query={query}>
      {({ isEnrolled, hasPasskey, recoveryCodesLeft, isRequired }) => (
        <div className={sectionStyles.state}>
          <span className={sectionStyles.tag} data-on={isEnrolled || hasPasskey}>
            {t(isEnrolled ? accountMessages.isOn : hasPasskey ? passkeyMessages.isOn : accountMessages.isOff)}
          </span>
          <span>{isEnrolled && t(accountMessages.codesLeft, { count: recoveryCodesLeft })}</span>
          {isRequired && <span>{t(passkeyMessages.required)}</span>}
          {isEnrolled ? (
            <>
              {button('renew')}
              {button('disable', true)}
            </>
          ) : (
            button('enrol')
          )}
          <Suspense>
            {change && (
              <SecondFactorDialog
                change={change}
                onClose={() => {
                  setChange(undefined);
                  query.refetch();
                }}
              />
            )}
          </Suspense>
        </div>
      )}
    </LoadedPart>
  );
}
