import { useEffect, useId, useRef, useState } from 'react';
import { useText } from '../i18n/use-words.ts';
import { Icon } from '../shell/Icon.tsx';
import type { Captcha } from './captcha.ts';
import { solved } from './solved-work.ts';
import styles from './WorkProof.module.css';

interface WorkProofProps {
  readonly captcha: Captcha;
  /** True where an operator has just changed from the picture to the work. */
  readonly takesFocus: boolean;
  /** Receives what to send in place of the picture's code. */
  readonly onProved: (code: string) => void;
  readonly onFailed: () => void;
  readonly onPicture: () => void;
}

/** The browser works in place of its operator and shows how far it is; a button changes to the picture. */
export function WorkProof({ captcha, takesFocus, onProved, onFailed, onPicture }: WorkProofProps) {
  const text = useText();
  const { work } = captcha;
  const hasBegun = useBegun(takesFocus);
  const { percent, isDone } = useWork(hasBegun ? work : undefined, onProved, onFailed);
  const statusId = useId();
  const picture = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (takesFocus) picture.current?.focus();
  }, [takesFocus]);
  const words = isDone ? text('signIn.worked') : text('signIn.working', { percent });
  return (
    <div className={styles.proof}>
      <div className={styles.line}>
        {/* In steps: a screen reader that heard every percent would say nothing else. */}
        <p id={statusId} role="status" data-done={isDone}>
          {isDone && <Icon name="check" size={16} />}
          {words}
        </p>
        <progress className={styles.bar} aria-label={text('signIn.workTitle')} max={100} value={isDone ? 100 : percent} />
      </div>
      <button ref={picture} type="button" name="code" className={styles.other} aria-describedby={statusId} onClick={onPicture}>
        {text('signIn.usePicture')}
      </button>
    </div>
  );
}

/** True at the first input or after two seconds: until then the page itself is loading, and many visitors only pass. */
function useBegun(isAtOnce: boolean): boolean {
  const [hasBegun, setBegun] = useState(isAtOnce);
  useEffect(() => {
    const begin = () => setBegun(true);
    const idle = window.setTimeout(begin, 2000);
    window.addEventListener('input', begin, { once: true });
    return () => {
      window.clearTimeout(idle);
      window.removeEventListener('input', begin);
    };
  }, []);
  return hasBegun;
}

/** Begins with each challenge, and stops with it. */
function useWork(work: Captcha['work'], onProved: (code: string) => void, onFailed: () => void) {
  const [progress, setProgress] = useState({ percent: 0, isDone: false });
  const latest = useRef({ onProved, onFailed });
  latest.current = { onProved, onFailed };
  useEffect(() => {
    setProgress({ percent: 0, isDone: false });
    if (!work) return;
    const leaving = new AbortController();
    const onProgress = (fraction: number) => setProgress({ percent: Math.floor(fraction * 4) * 25, isDone: false });
    solved(work, onProgress, leaving.signal).then(
      (code) => {
        if (leaving.signal.aborted) return;
        setProgress({ percent: 100, isDone: true });
        latest.current.onProved(code);
      },
      () => leaving.signal.aborted || latest.current.onFailed(),
    );
    return () => leaving.abort();
  }, [work]);
  return progress;
}
