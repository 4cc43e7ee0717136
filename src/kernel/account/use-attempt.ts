import { useState } from 'react';
import { TransportError } from '../errors/transport-error.ts';
import { useWords } from '../i18n/use-words.ts';

/** Tries something that answers with what is wrong, or with nothing; one attempt at a time. */
export function useAttempt(attempt: (value: string) => Promise<string | undefined>) {
  const say = useWords();
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const run = async (value: string): Promise<boolean> => {
    if (isBusy) return false;
    setFailure(undefined);
    setBusy(true);
    const wrong = await attempt(value).catch((error: unknown) => {
      if (error instanceof TransportError) return say(error.words);
      throw error;
    });
    setBusy(false);
    setFailure(wrong);
    return wrong === undefined;
  };
  return { failure, isBusy, run };
}
