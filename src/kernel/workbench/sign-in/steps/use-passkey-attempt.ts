import { useCallback, useRef } from 'react';
import { signWithPasskey } from '../../../platform/browser/passkey-credentials.ts';
import type { Answer } from '../../../platform/http/http.ts';
import { type ActionResult, useMutation } from '../../../platform/http/use-mutation.ts';
import { useTranslation } from '../../../platform/i18n/use-translation.ts';

/** Challenge of the server. */
interface Challenge {
  readonly attempt: string;
  readonly options: Parameters<typeof signWithPasskey>[0];
}

/** Answer of a passkey, as the server takes it. */
interface PasskeyAnswer {
  readonly attempt: string;
  readonly credential: string;
}

/** Asks the server for a challenge, the browser for a passkey that signs it, and passes the answer on; one attempt at a time. Its texts are those of sign-in methods. */
export function usePasskeyAttempt(begin: () => Promise<Answer<Challenge>>, onAnswer: (answer: PasskeyAnswer) => Promise<unknown>) {
  const t = useTranslation();
  const run = async (): Promise<ActionResult> => {
    const begun = await begin();
    if (!begun.success) return { success: false, message: begun.msg };
    const { attempt, options } = begun.data;
    const result = await signWithPasskey(options);
    if ('credential' in result) {
      await onAnswer({ attempt, credential: result.credential });
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
