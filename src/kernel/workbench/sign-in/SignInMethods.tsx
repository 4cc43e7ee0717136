import { Suspense } from 'react';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { Icon } from '../../ui/primitives/Icon.tsx';
import { SignInButton } from './SignInButton.tsx';
import styles from './SignInMethods.module.css';
import type { OfferedMethod, SignInMethod, SignInStep } from './steps/sign-in-method.ts';

interface SignInMethodsProps {
  readonly offered: readonly OfferedMethod[];
  readonly step: SignInStep;
  /** True when a user signs in again; registration is hidden then. */
  readonly isReauthentication: boolean;
  readonly onStep: (step: SignInStep) => void;
  readonly onLeaveFor: (source: string) => void;
}

/** Lists the other sign-in methods in a row below the current one. */
export default function SignInMethods({ offered, step, isReauthentication, onStep, onLeaveFor }: SignInMethodsProps) {
  const t = useTranslation();
  const others = offered.filter(({ method }) => !method.isRegistration);
  const registration = isReauthentication ? undefined : offered.find(({ method }) => method.isRegistration)?.method;
  const select = (method: SignInMethod) => (method.Step ? onStep({ kind: 'method', method }) : onLeaveFor(method.id));
  if (others.length === 0 && !registration) return null;
  return (
    <section className={styles.methods} aria-label={t('signIn.otherMethods')}>
      {others.length > 0 && (
        <>
          <p className={styles.title} aria-hidden="true">
            {t('signIn.otherMethods')}
          </p>
          <div className={styles.row}>
            {step.kind === 'method' && <SignInButton icon={<Icon name="user" />} label={t('signIn.byAccount')} onClick={() => onStep({ kind: 'account' })} />}
            <Suspense>
              {others.map(({ method, values, providers }) => {
                const { id, title, icon = 'user', Buttons } = method;
                if (providers.length > 0) return <ProviderButtons key={id} {...{ method, providers, step, onStep, onLeaveFor }} />;
                if (Buttons) return <Buttons key={id} offered={values} onLeaveFor={onLeaveFor} />;
                const isCurrent = step.kind === 'method' && step.method.id === id;
                return title && !isCurrent && <SignInButton key={id} icon={<Icon name={icon} />} label={t(title)} onClick={() => select(method)} />;
              })}
            </Suspense>
          </div>
        </>
      )}
      {registration?.title && (
        <button type="button" className={styles.register} onClick={() => select(registration)}>
          {t(registration.title)}
        </button>
      )}
    </section>
  );
}

interface ProviderButtonsProps extends Pick<SignInMethodsProps, 'step' | 'onStep' | 'onLeaveFor'> {
  readonly method: SignInMethod;
  readonly providers: OfferedMethod['providers'];
}

/** Renders a button for each identity provider of the tenant, except the one whose step is shown. */
function ProviderButtons({ method, providers, step, onStep, onLeaveFor }: ProviderButtonsProps) {
  const current = step.kind === 'method' ? step.provider?.source : undefined;
  return providers.map((provider) => {
    const { source, name, kind } = provider;
    if (source === current) return null;
    const isForm = kind === 'password' && method.Step !== undefined;
    const select = () => (isForm ? onStep({ kind: 'method', method, provider }) : onLeaveFor(source));
    return <SignInButton key={source} icon={<Icon name={isForm ? 'lock' : 'key'} />} label={name} onClick={select} />;
  });
}
