import { useState } from 'react';
import { TransportError } from '../platform/http/transport-error.ts';
import { useTranslation } from '../platform/i18n/use-translation.ts';

/** Runs an action that resolves with an error message or `undefined`, one attempt at a time. */
export function useAttempt(attempt: (value: string) => Promise<string | undefined>) {
  const t = useTranslation();
  const [failure, setFailure] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const run = async (value: string): Promise<boolean> => {
    if (isBusy) return false;
    setFailure(undefined);
    setIsBusy(true);
    const wrong = await attempt(value).catch((error: unknown) => {
      if (error instanceof TransportError) return t(error.words);
      throw error;
    });
    setIsBusy(false);
    setFailure(wrong);
    return wrong === undefined;
  };
  return { failure, isBusy, run };
}
