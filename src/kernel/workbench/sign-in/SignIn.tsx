import { type ReactNode, Suspense, useEffect, useState } from 'react';
import type { Manifest } from '#shared/manifest';
import { useService } from '../../base/react/services.tsx';
import { IdentityReturns } from '../../platform/session/identity-returns.ts';
import { lazyComponent } from '../../ui/loading/part.tsx';
import { SignInForm } from './SignInForm.tsx';
import { SignInMethods } from './SignInMethods.tsx';
import { SignInMethodList, type SignInStep, type SignInStepProps } from './sign-in-method.ts';
import { useSignInTenant } from './steps/sign-in-tenant.ts';
import styles from './styles/SignInPage.module.css';

const SecondFactorStep = lazyComponent(() => import('./steps/SecondFactorStep.tsx'));

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
  /** Stands above the first step; later steps have headings of their own. */
  readonly heading: ReactNode;
  /** True when a user signs in again; registration is hidden then. */
  readonly isAgain?: boolean;
}

/** Renders every sign-in method: account and password first, the others as a row below. */
export function SignIn({ manifest, onTyping, isOpening, onSignedIn, onPicture, back, heading, isAgain = false }: SignInProps) {
  const returns = useService(IdentityReturns);
  const methods = useService(SignInMethodList);
  const tenant = useSignInTenant(manifest);
  const [step, setStep] = useState<SignInStep>(() => {
    const returned = returns.take('signIn');
    const method = methods.handling('return');
    return returned && method ? { kind: 'method', method, returned } : { kind: 'account' };
  });
  const [notice, setNotice] = useState<string>();
  const { picture } = tenant;
  useEffect(() => {
    if (picture) onPicture?.(picture);
  }, [picture, onPicture]);
  const isFirst = step.kind === 'account' || (step.kind === 'method' && !step.method.isRegistration && !step.method.handles);
  const leaveFor = (source: string) => void tenant.leaveFor(source, back(), (to) => returns.leave(to, { purpose: 'signIn', back: back() }));
  const go = (next: SignInStep, why?: string) => {
    setStep(next);
    setNotice(why);
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
        <SignInForm prefix={manifest.storagePrefix} tenant={tenant} onTyping={onTyping} isOpening={isOpening} onSignedIn={signedIn} onStep={go} />
      ) : (
        <Suspense fallback={<div className={styles.stepComing} />}>
          <NextStep step={step} tenant={tenant} isOpening={isOpening} onTyping={onTyping} onSignedIn={signedIn} onStep={go} onLeaveFor={leaveFor} />
        </Suspense>
      )}
      {isFirst && (
        // Reserves the space until the server has listed the sign-in methods, so that the layout does not shift.
        <div className={styles.others}>
          {tenant.ways && <SignInMethods ways={tenant.ways} step={step} isAgain={isAgain} onStep={go} onLeaveFor={leaveFor} />}
        </div>
      )}
    </>
  );
}

/** Renders a step after the first. */
function NextStep({ step, ...props }: Omit<SignInStepProps, 'guest' | 'returned'> & { readonly step: Exclude<SignInStep, { kind: 'account' }> }) {
  if (step.kind === 'secondFactor') return <SecondFactorStep {...props} token={step.token} tenantId={step.tenantId} />;
  const { method, guest, returned } = step;
  return method.Step && <method.Step {...props} {...(guest ? { guest } : {})} {...(returned ? { returned } : {})} />;
}
