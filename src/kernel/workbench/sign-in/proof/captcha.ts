import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { oauth, type WorkChallenge } from '#shared/auth';
import { useService } from '../../../base/react/services.tsx';
import { Http } from '../../../platform/http/http.ts';

/** A proof of work or the code of a picture, where the deployment requires one. */
export interface Captcha {
  /** False where signing in takes no code. True until the server says otherwise, so that the layout does not shift. */
  readonly isAsked: boolean;
  /** Empty while there is no challenge that can be answered. */
  readonly key: string;
  readonly image?: string | undefined;
  /** Proof of work the browser may solve instead of the picture. */
  readonly work?: WorkChallenge | undefined;
  readonly hasFailed: boolean;
  readonly reload: () => void;
  /** False when the picture is preferred, and when there is no proof of work. */
  readonly byWork: boolean;
  readonly preferPicture: (isPreferred: boolean) => void;
}

type LoadedCaptcha = Omit<Captcha, 'reload' | 'byWork' | 'preferPicture'>;

const pendingCaptcha: LoadedCaptcha = { isAsked: true, key: '', hasFailed: false };

/**
 * Fetches a challenge when the form appears and again on `reload`. The previous one is dropped at once, because its key may have been used up; a late
 * answer to an older request is dropped too.
 */
export function useCaptcha(): Captcha {
  const http = useService(Http);
  const [loaded, setLoaded] = useState(pendingCaptcha);
  const [offersWork, setOffersWork] = useState(true);
  const [isPicturePreferred, setIsPicturePreferred] = useState(false);
  const request = useRef<AbortController>(undefined);

  const reload = useCallback(() => {
    request.current?.abort();
    const controller = new AbortController();
    request.current = controller;
    setLoaded(pendingCaptcha);
    http
      .send(oauth.captcha, {}, { quiet: true, signal: controller.signal })
      .then(
        (answer): LoadedCaptcha =>
          answer.success ? { isAsked: answer.data.key !== '', ...answer.data, hasFailed: false } : { ...pendingCaptcha, hasFailed: true },
      )
      .catch((): LoadedCaptcha => ({ ...pendingCaptcha, hasFailed: true }))
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

  return { ...loaded, reload, byWork: offersWork && !loaded.hasFailed && !isPicturePreferred, preferPicture: setIsPicturePreferred };
}

/** Delays a submission while the browser still works on its proof, and submits the form when the proof is ready, or when the server says that it requires none. */
export function useDeferredSubmit(form: RefObject<HTMLFormElement | null>, { isAsked, byWork }: Captcha, code: string) {
  const [isDeferred, setIsDeferred] = useState(false);
  useEffect(() => {
    if (!isDeferred || (isAsked && byWork && code === '')) return;
    setIsDeferred(false);
    if (byWork) form.current?.requestSubmit();
  }, [isDeferred, isAsked, byWork, code, form]);
  return { isDeferred: isDeferred && byWork, defer: () => setIsDeferred(true) };
}
