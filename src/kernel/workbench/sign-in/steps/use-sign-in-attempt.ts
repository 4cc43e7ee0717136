import { useState } from 'react';
import { useTranslation } from '../../../platform/i18n/use-translation.ts';
import type { SignInOutcome } from '../../../platform/session/session.ts';
import type { SignInStepProps } from './sign-in-method.ts';

/** Tries to sign in and goes to the next step; a refusal is shown and resolves with false. */
export function useSignInAttempt({ onSignedIn, onStep }: Pick<SignInStepProps, 'onSignedIn' | 'onStep'>, source: string) {
  const t = useTranslation();
  const [failure, setFailure] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);

  const signIn = async (attempt: () => Promise<SignInOutcome>): Promise<boolean> => {
    setFailure(undefined);
    setIsBusy(true);
    const outcome = await attempt().catch((): SignInOutcome => ({ success: false, message: t('signIn.unreachable') }));
    setIsBusy(false);
    if (outcome.success) onSignedIn();
    else if (outcome.secondFactor) onStep({ kind: 'secondFactor', ...outcome.secondFactor });
    else if (outcome.guest) onStep({ kind: 'guest', guest: { reply: outcome.guest, source } });
    else setFailure(outcome.message);
    return outcome.success || outcome.secondFactor !== undefined || outcome.guest !== undefined;
  };
  return { failure, isBusy, signIn };
}
