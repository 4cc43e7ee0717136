import { Suspense, useEffect, useId, useRef, useState } from 'react';
import type { WorkChallenge } from '#shared/auth';
import { useTranslation } from '../../../platform/i18n/use-translation.ts';
import { lazyComponent } from '../../../ui/loading/lazy-component.tsx';
import { Icon } from '../../../ui/primitives/Icon.tsx';
import type { Captcha } from './captcha.ts';
import styles from './ProofOfWork.module.css';
import type { WorkReport } from './work.ts';

// Most visitors never see the picture, so it is loaded on demand.
const SignInCaptcha = lazyComponent(() => import('./SignInCaptcha.tsx'));

/** A challenge is valid for 30 minutes; a page that stays open longer fetches the next one before that. */
const renewalMs = 25 * 60_000;

interface CaptchaProofProps {
  readonly captcha: Captcha;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Fetches another challenge and empties the field. */
  readonly onRenew: () => void;
  readonly problem: string | undefined;
  readonly describedBy: string | undefined;
}

/** Renders the proof of work, or the code of a picture for those who prefer it; changing between the two moves the focus there. */
export function CaptchaProof({ captcha, onChange, onRenew, ...field }: CaptchaProofProps) {
  const { byWork, preferPicture } = captcha;
  const [hasSwitched, setHasSwitched] = useState(false);
  useRenewal(byWork ? captcha.key : '', onRenew);

  const switchTo = (isPicture: boolean) => {
    setHasSwitched(true);
    preferPicture(isPicture);
    if (isPicture) onRenew();
    else onChange('');
  };
  if (byWork)
    return <ProofOfWork captcha={captcha} takesFocus={hasSwitched} onProved={onChange} onFailed={() => preferPicture(true)} onPicture={() => switchTo(true)} />;
  return (
    <Suspense>
      <SignInCaptcha {...field} captcha={captcha} takesFocus={hasSwitched} onChange={onChange} onReload={onRenew} onWork={() => switchTo(false)} />
    </Suspense>
  );
}

/** Renews a challenge that is about to expire: a person cannot see that a proof of work has expired. */
function useRenewal(key: string, renew: () => void) {
  const latest = useRef(renew);
  latest.current = renew;
  useEffect(() => {
    if (key === '') return;
    const timer = window.setTimeout(() => latest.current(), renewalMs);
    return () => window.clearTimeout(timer);
  }, [key]);
}

interface ProofOfWorkProps {
  readonly captcha: Captcha;
  /** True when the operator has just changed from the picture to the proof of work. */
  readonly takesFocus: boolean;
  /** Receives the solution, which is sent in place of the picture's code. */
  readonly onProved: (code: string) => void;
  readonly onFailed: () => void;
  readonly onPicture: () => void;
}

/** Lets the browser solve the proof of work and shows its progress; a button changes to the picture. */
function ProofOfWork({ captcha, takesFocus, onProved, onFailed, onPicture }: ProofOfWorkProps) {
  const t = useTranslation();
  const { work } = captcha;
  const hasBegun = useBegun(takesFocus);
  const { percent, isDone } = useWork(hasBegun ? work : undefined, onProved, onFailed);
  const statusId = useId();
  const picture = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (takesFocus) picture.current?.focus();
  }, [takesFocus]);
  const statusText = isDone ? t('signIn.proofDone') : t('signIn.proofRunning', { percent });
  return (
    <div className={styles.proof}>
      <div className={styles.line}>
        {/* Progress is announced in steps, because a screen reader would read every percent. */}
        <p id={statusId} role="status" data-done={isDone}>
          {isDone && <Icon name="check" size={16} />}
          {statusText}
        </p>
        <progress className={styles.bar} aria-label={t('signIn.proofTitle')} max={100} value={isDone ? 100 : percent} />
      </div>
      <button ref={picture} type="button" name="code" className={styles.other} aria-describedby={statusId} onClick={onPicture}>
        {t('signIn.useImageCaptcha')}
      </button>
    </div>
  );
}

/** Returns true at the first input or after two seconds: until then the page itself is loading, and many visitors only pass. */
function useBegun(isAtOnce: boolean): boolean {
  const [hasBegun, setHasBegun] = useState(isAtOnce);
  useEffect(() => {
    const begin = () => setHasBegun(true);
    const idle = window.setTimeout(begin, 2000);
    window.addEventListener('input', begin, { once: true });
    return () => {
      window.clearTimeout(idle);
      window.removeEventListener('input', begin);
    };
  }, []);
  return hasBegun;
}

/** Starts work on each new challenge and stops when the challenge changes. */
function useWork(work: Captcha['work'], onProved: (code: string) => void, onFailed: () => void) {
  const [progress, setProgress] = useState({ percent: 0, isDone: false });
  const latest = useRef({ onProved, onFailed });
  latest.current = { onProved, onFailed };
  useEffect(() => {
    setProgress({ percent: 0, isDone: false });
    if (!work) return;
    const controller = new AbortController();
    const onProgress = (fraction: number) => setProgress({ percent: Math.floor(fraction * 4) * 25, isDone: false });
    solveInWorker(work, onProgress, controller.signal).then(
      (code) => {
        if (controller.signal.aborted) return;
        setProgress({ percent: 100, isDone: true });
        latest.current.onProved(code);
      },
      () => controller.signal.aborted || latest.current.onFailed(),
    );
    return () => controller.abort();
  }, [work]);
  return progress;
}

/** Solves a challenge in a worker; resolves with the code the server accepts in place of the picture's. The signal stops the worker. */
function solveInWorker(challenge: WorkChallenge, onProgress: (fraction: number) => void, signal: AbortSignal): Promise<string> {
  const worker = new Worker(/* webpackChunkName: 'proof-of-work' */ new URL('./work-worker.ts', import.meta.url));
  return new Promise<string>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    worker.onerror = () => reject(new Error('The worker has failed'));
    worker.onmessage = ({ data }: MessageEvent<WorkReport>) => {
      if ('fraction' in data) onProgress(data.fraction);
      else if ('number' in data) resolve(codeOf(challenge, data.number));
      else reject(new Error('The challenge has no solution'));
    };
    worker.postMessage(challenge);
  }).finally(() => worker.terminate());
}

/** Encodes a solution in the format of ALTCHA. */
function codeOf({ algorithm, challenge, salt, signature }: WorkChallenge, number: number): string {
  return btoa(JSON.stringify({ algorithm, challenge, number, salt, signature }));
}
