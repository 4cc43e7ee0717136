import { useCallback, useEffect, useRef, useState } from 'react';
import { oauth } from '#shared/auth';
import { Http } from '../http/http.ts';
import { useService } from '../services.tsx';

/** The picture with a code, where the deployment asks for one. */
export interface Captcha {
  /** False where signing in takes no code. Asked for until the server says otherwise, so that nothing jumps. */
  readonly isAsked: boolean;
  readonly key: string;
  readonly image: string | undefined;
  readonly hasFailed: boolean;
  readonly reload: () => void;
}

type Loaded = Omit<Captcha, 'reload'>;

const asked: Loaded = { isAsked: true, key: '', image: undefined, hasFailed: false };

/** Fetches a code when the form appears and again on `reload`; an older answer that comes late is dropped. */
export function useCaptcha(): Captcha {
  const http = useService(Http);
  const [loaded, setLoaded] = useState(asked);
  const request = useRef<AbortController>(undefined);

  const reload = useCallback(() => {
    request.current?.abort();
    const controller = new AbortController();
    request.current = controller;
    http
      .send(oauth.captcha, {}, { quiet: true, signal: controller.signal })
      .then((answer): Loaded => (answer.success ? { isAsked: answer.data.key !== '', ...answer.data, hasFailed: false } : { ...asked, hasFailed: true }))
      .catch((): Loaded => ({ ...asked, hasFailed: true }))
      .then((next) => {
        if (!controller.signal.aborted) setLoaded(next);
      });
  }, [http]);

  useEffect(() => {
    reload();
    return () => request.current?.abort();
  }, [reload]);

  return { ...loaded, reload };
}
