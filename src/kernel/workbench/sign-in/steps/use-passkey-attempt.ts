import { useCallback, useRef } from 'react';
import { signWithPasskey } from '../../../platform/browser/passkey-credentials.ts';
import type { Answer } from '../../../platform/http/http.ts';
import { type ActionResult, useMutation } from '../../../platform/http/use-mutation.ts';
import { useTranslation } from '../../../platform/i18n/use-translation.ts';

/** Challenge of the server. */
interface PasskeyChallenge {
  readonly attempt: string;
  readonly options: Parameters<typeof signWithPasskey>[0];
}

/** Challenge that a passkey has signed, in the form that the server expects. */
interface SignedChallenge {
  readonly attempt: string;
  readonly credential: string;
}

/**
 * Asks the server for a challenge and the browser for a passkey that signs it, and passes the signed challenge to `onSigned`. Only one attempt runs at a time. The
 * component that uses it must have loaded the texts of the sign-in methods.
 */
export function usePasskeyAttempt(begin: () => Promise<Answer<PasskeyChallenge>>, onSigned: (signed: SignedChallenge) => Promise<unknown>) {
  const t = useTranslation();
  const run = async (): Promise<ActionResult> => {
    const challenge = await begin();
    if (!challenge.success) return { success: false, message: challenge.msg };
    const { attempt, options } = challenge.data;
    const result = await signWithPasskey(options);
    if ('credential' in result) {
      await onSigned({ attempt, credential: result.credential });
      return { success: true };
    }
    return { success: false, message: t(result.failure === 'unsupported' ? 'signInMethods.passkeyUnsupported' : 'signInMethods.passkeyCancelled') };
  };
  const { isPending, error, mutate } = useMutation(run, { quiet: true });
  const latest = useRef(mutate);
  latest.current = mutate;
  const start = useCallback(() => void latest.current(), []);
  return { failure: error, isBusy: isPending, start };
}
