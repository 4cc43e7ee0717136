import { useCallback, useEffect, useRef, useState } from 'react';
import { oauth, type WorkChallenge } from '#shared/auth';
import { Http } from '../http/http.ts';
import { useService } from '../services.tsx';

/** A proof of work or the code of a picture, where the deployment asks for one. */
export interface Captcha {
  /** False where signing in takes no code. Asked for until the server says otherwise, so that nothing jumps. */
  readonly isAsked: boolean;
  /** Empty while there is none that may be answered. */
  readonly key: string;
  readonly image?: string | undefined;
  /** What a browser may do in place of its reader. */
  readonly work?: WorkChallenge | undefined;
  readonly hasFailed: boolean;
  readonly reload: () => void;
  /** False where the picture is preferred, and where there is no work to do. */
  readonly byWork: boolean;
  readonly preferPicture: (isPreferred: boolean) => void;
}

type Loaded = Omit<Captcha, 'reload' | 'byWork' | 'preferPicture'>;

const asked: Loaded = { isAsked: true, key: '', hasFailed: false };

/** Fetches a code when the form appears and again on `reload`. The one before is gone at once: its key may have been used up. An older answer that comes late is dropped. */
export function useCaptcha(): Captcha {
  const http = useService(Http);
  const [loaded, setLoaded] = useState(asked);
  const [offersWork, setOffersWork] = useState(true);
  const [isPicturePreferred, setPicturePreferred] = useState(false);
  const request = useRef<AbortController>(undefined);

  const reload = useCallback(() => {
    request.current?.abort();
    const controller = new AbortController();
    request.current = controller;
    setLoaded(asked);
    http
      .send(oauth.captcha, {}, { quiet: true, signal: controller.signal })
      .then((answer): Loaded => (answer.success ? { isAsked: answer.data.key !== '', ...answer.data, hasFailed: false } : { ...asked, hasFailed: true }))
      .catch((): Loaded => ({ ...asked, hasFailed: true }))
      .then((next) => {
        if (controller.signal.aborted) return;
        setLoaded(next);
        if (next.key !== '') setOffersWork(next.work !== undefined);
      });
  }, [http]);

  useEffect(() => {
    reload();
    return () => request.current?.abort();
  }, [reload]);

  return { ...loaded, reload, byWork: offersWork && !loaded.hasFailed && !isPicturePreferred, preferPicture: setPicturePreferred };
}
