import { useState } from 'react';
import { TransportError } from '../platform/http/transport-error.ts';
import { useWords } from '../platform/i18n/use-words.ts';

/** Runs an action that resolves with an error message or `undefined`, one attempt at a time. */
export function useAttempt(attempt: (value: string) => Promise<string | undefined>) {
  const say = useWords();
  const [failure, setFailure] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const run = async (value: string): Promise<boolean> => {
    if (isBusy) return false;
    setFailure(undefined);
    setIsBusy(true);
    const wrong = await attempt(value).catch((error: unknown) => {
      if (error instanceof TransportError) return say(error.words);
      throw error;
    });
    setIsBusy(false);
    setFailure(wrong);
    return wrong === undefined;
  };
  return { failure, isBusy, run };
}
