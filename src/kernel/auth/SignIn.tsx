import { type ReactNode, Suspense, useEffect, useState } from 'react';
import type { Manifest } from '#shared/manifest';
import { part } from '../part.tsx';
import { useService } from '../services.tsx';
import { IdentityReturns } from './identity-returns.ts';
import { OtherWays } from './OtherWays.tsx';
import { SignInForm } from './SignInForm.tsx';
import styles from './SignInPage.module.css';
import type { SignInStep } from './sign-in-step.ts';
import { useSignInTenant } from './sign-in-tenant.ts';

const FurtherStep = part(() => import('./FurtherStep.tsx'));

interface SignInProps {
  readonly manifest: Manifest;
  readonly onTyping: () => void;
  readonly isOpening: boolean;
  /** Told the password that was used, for the one case where it must be changed at once. */
  readonly onSignedIn: (password?: string) => void;
  /** Told the tenant's own picture, where it has one. */
  readonly onPicture?: (address: string) => void;
  /** Where the operator was going, for whoever has to leave the page to sign in. */
  readonly back: () => string;
  /** Stands above the first step; later ones say themselves what they are. */
  readonly heading: ReactNode;
  /** Somebody who has an account signs in again: nobody is offered one. */
  readonly isAgain?: boolean;
}

/** Every way in, one step after the other: account and password first, the others as a row below. */
export function SignIn({ manifest, onTyping, isOpening, onSignedIn, onPicture, back, heading, isAgain = false }: SignInProps) {
  const returns = useService(IdentityReturns);
  const tenant = useSignInTenant(manifest);
  const [step, setStep] = useState<SignInStep>(() => {
    const returned = returns.take('signIn');
    return returned ? { kind: 'returned', returned } : { kind: 'account' };
  });
  const [notice, setNotice] = useState<string>();
  const { picture } = tenant;
  useEffect(() => {
    if (picture) onPicture?.(picture);
  }, [picture, onPicture]);
  const isFirst = step.kind === 'account' || step.kind === 'phone';
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
          <FurtherStep step={step} tenant={tenant} isOpening={isOpening} onTyping={onTyping} onSignedIn={signedIn} onStep={go} onLeaveFor={leaveFor} />
        </Suspense>
      )}
      {isFirst && (
        // Room that is kept until the server has said which there are.
        <div className={styles.others}>
          {tenant.ways && (
            <OtherWays
              ways={isAgain ? { ...tenant.ways, register: false } : tenant.ways}
              chosen={step.kind}
              onChoose={(kind) => go({ kind })}
              onLeaveFor={leaveFor}
            />
          )}
        </div>
      )}
    </>
  );
}
