import { useState } from 'react';
import { useText } from '../i18n/use-words.ts';
import type { StepProps } from './FurtherStep.tsx';
import type { SignInOutcome } from './session.ts';

/** Tries to sign in and goes where that leads; what is refused is said, and answered with false. */
export function useEntry({ tenant, onSignedIn, onStep }: Pick<StepProps, 'tenant' | 'onSignedIn' | 'onStep'>, source: string) {
  const text = useText();
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  const enter = async (attempt: () => Promise<SignInOutcome>): Promise<boolean> => {
    setFailure(undefined);
    setBusy(true);
    const outcome = await attempt().catch((): SignInOutcome => ({ success: false, message: text('signIn.unreachable') }));
    setBusy(false);
    if (outcome.success) onSignedIn();
    else if (outcome.secondFactor) onStep({ kind: 'secondFactor', token: outcome.secondFactor, tenantId: tenant.tenantId });
    else if (outcome.guest) onStep({ kind: 'guest', reply: outcome.guest, source });
    else setFailure(outcome.message);
    return outcome.success || outcome.secondFactor !== undefined || outcome.guest !== undefined;
  };
  return { failure, isBusy, enter };
}
