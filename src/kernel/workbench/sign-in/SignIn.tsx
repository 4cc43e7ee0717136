import { type ReactNode, Suspense, useEffect, useState } from 'react';
import type { Manifest } from '#shared/manifest';
import { useService } from '../../base/react/services.tsx';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { IdentityReturns } from '../../platform/session/identity-returns.ts';
import type { Invitation } from '../../platform/session/invitation.ts';
import { lazyComponent } from '../../ui/loading/lazy-component.tsx';
import { SignInForm } from './SignInForm.tsx';
import type { SignInStep } from './steps/sign-in-method.ts';
import { useSignInTenant } from './steps/sign-in-tenant.ts';
import styles from './styles/SignInPage.module.css';
// In the first style sheet: a sheet of its own would be one more request.
import './SignInMethods.module.css';

const NextStep = lazyComponent(() => import('./steps/NextStep.tsx'));
const SignInMethods = lazyComponent(() => import(/* webpackMode: "eager" */ './SignInMethods.tsx'));

interface SignInProps {
  readonly manifest: Manifest;
  readonly onTyping: () => void;
  readonly isOpening: boolean;
  /** Receives the password that was used, in case it must be changed at once. */
  readonly onSignedIn: (password?: string) => void;
  /** Receives the address of the tenant's own picture, where it has one. */
  readonly onPicture?: (address: string) => void;
  /** Returns the address the operator was going to; signing in at a provider leaves the page and must return there. */
  readonly back: () => string;
  /** Heading above the first step; later steps have headings of their own. */
  readonly heading: ReactNode;
  readonly invitation?: Invitation | undefined;
  readonly onInvitationClosed?: (() => void) | undefined;
  /** True when a user signs in again; registration is hidden then. */
  readonly isReauthentication?: boolean;
}

/** Renders every sign-in method: account and password first, the others as a row below. */
export function SignIn({
  manifest,
  onTyping,
  isOpening,
  onSignedIn,
  onPicture,
  back,
  heading,
  invitation,
  onInvitationClosed,
  isReauthentication = false,
}: SignInProps) {
  const t = useTranslation();
  const returns = useService(IdentityReturns);
  const tenant = useSignInTenant(manifest, invitation?.tenantId);
  const [step, setStep] = useState<SignInStep>(() => {
    const returned = returns.take('signIn');
    return returned ? { kind: 'return', returned } : { kind: 'account' };
  });
  const [notice, setNotice] = useState<string>();
  const { picture } = tenant;
  useEffect(() => {
    if (picture) onPicture?.(picture);
  }, [picture, onPicture]);
  const isFirst = step.kind === 'account' || (step.kind === 'method' && !step.method.isRegistration);
  const leaveFor = (source: string) => void tenant.leaveFor(source, back(), (to) => returns.leave(to, { purpose: 'signIn', back: back() }));
  const goToStep = (next: SignInStep, reason?: string) => {
    setStep(next);
    setNotice(reason);
  };
  const signedIn = (password?: string) => {
    tenant.keep();
    onSignedIn(password);
  };

  return (
    <>
      {isFirst && heading}
      <p className={styles.notice} role="status" hidden={notice === undefined}>
        {notice}
      </p>
      {step.kind === 'account' ? (
        <SignInForm
          key={invitation?.account ?? ''}
          prefix={manifest.storagePrefix}
          tenant={tenant}
          invitation={invitation}
          onTyping={onTyping}
          isOpening={isOpening}
          onSignedIn={signedIn}
          onStep={goToStep}
        />
      ) : (
        <Suspense fallback={<div className={styles.stepPlaceholder} />}>
          <NextStep step={step} tenant={tenant} isOpening={isOpening} onTyping={onTyping} onSignedIn={signedIn} onStep={goToStep} onLeaveFor={leaveFor} />
        </Suspense>
      )}
      {invitation && (
        <button type="button" className={styles.back} onClick={onInvitationClosed}>
          {t('signIn.backToSignIn')}
        </button>
      )}
      {isFirst && !invitation && (
        // Reserves the space until the server has listed the sign-in methods, so that the layout does not shift.
        <div className={styles.others}>
          <Suspense>
            {tenant.offered && (
              <SignInMethods offered={tenant.offered} step={step} isReauthentication={isReauthentication} onStep={goToStep} onLeaveFor={leaveFor} />
            )}
          </Suspense>
        </div>
      )}
    </>
  );
}
