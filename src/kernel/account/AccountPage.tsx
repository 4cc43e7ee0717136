import { type ReactNode, useRef } from 'react';
import { useService } from '../base/react/services.tsx';
import { Toasts } from '../platform/feedback/toasts.ts';
import { accountTexts, type TextKey } from '../platform/i18n/texts.ts';
import { useTranslation } from '../platform/i18n/use-translation.ts';
import { WithTexts } from '../platform/i18n/WithTexts.tsx';
import { PasswordForm } from '../ui/fields/PasswordForm.tsx';
import { PageSkeleton } from '../ui/loading/PageSkeleton.tsx';
import { Icon, type IconName } from '../ui/primitives/Icon.tsx';
import styles from './AccountPage.module.css';
import { BindingsSection } from './BindingsSection.tsx';
import { ProfileSection } from './ProfileSection.tsx';
import { SecondFactorSection } from './SecondFactorSection.tsx';
import { SessionsSection } from './SessionsSection.tsx';

type SectionName = 'profile' | 'password' | 'secondFactor' | 'bindings' | 'sessions';

const sections: readonly (readonly [name: SectionName, icon: IconName])[] = [
  ['profile', 'user'],
  ['password', 'key'],
  ['secondFactor', 'lock'],
  ['bindings', 'globe'],
  ['sessions', 'system'],
];

const hints: Readonly<Partial<Record<SectionName, TextKey>>> = {
  password: 'account.passwordHint',
  secondFactor: 'account.secondFactorHint',
  sessions: 'account.sessionsHint',
};

/** Shows everything operators may see and change about themselves, one section below the other. */
export default function AccountPage() {
  return (
    <WithTexts part={accountTexts} fallback={<PageSkeleton />}>
      <Account />
    </WithTexts>
  );
}

function Account() {
  const t = useTranslation();
  const toasts = useService(Toasts);
  const page = useRef<HTMLDivElement>(null);
  const goTo = (name: SectionName) => {
    const heading = page.current?.querySelector<HTMLElement>(`[data-section=${name}] h2`);
    heading?.scrollIntoView({ block: 'start' });
    heading?.focus({ preventScroll: true });
  };
  return (
    <div ref={page} className={styles.page}>
      <nav className={styles.list} aria-label={t('account.sections')}>
        <ul>
          {sections.map(([name, icon]) => (
            <li key={name}>
              <button type="button" onClick={() => goTo(name)}>
                <Icon name={icon} />
                {t(`account.${name}`)}
              </button>
            </li>
          ))}
        </ul>
      </nav>
      <div className={styles.sections}>
        <Section name="profile">
          <ProfileSection />
        </Section>
        <Section name="password">
          <div className={styles.narrow}>
            <PasswordForm onChanged={() => toasts.success(t('shell.passwordChanged'))} />
          </div>
        </Section>
        <Section name="secondFactor">
          <SecondFactorSection />
        </Section>
        <Section name="bindings">
          <BindingsSection />
        </Section>
        <Section name="sessions">
          <SessionsSection />
        </Section>
      </div>
    </div>
  );
}

function Section({ name, children }: { readonly name: SectionName; readonly children: ReactNode }) {
  const t = useTranslation();
  const hint = hints[name];
  return (
    <section className={styles.section} data-section={name} aria-label={t(`account.${name}`)}>
      <h2 tabIndex={-1}>{t(`account.${name}`)}</h2>
      {hint && <p className={styles.hint}>{t(hint)}</p>}
      {children}
    </section>
  );
}
