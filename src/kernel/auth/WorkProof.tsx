import { useEffect, useId, useRef, useState } from 'react';
import { wayTexts } from '../i18n/texts.ts';
import { useText } from '../i18n/use-words.ts';
import { WithTexts } from '../i18n/WithTexts.tsx';
import { Icon } from '../shell/Icon.tsx';
import type { Captcha } from './captcha.ts';
import { solved } from './solved-work.ts';
import styles from './WorkProof.module.css';

interface WorkProofProps {
  readonly captcha: Captcha;
  /** Told what to send in place of the picture's code. */
  readonly onProved: (code: string) => void;
  readonly onPicture: () => void;
}

/** The browser proves itself in place of its reader, for those to whom the picture says nothing; whoever chose it stands at the way back, which says how far it is. */
export default function WorkProof(props: WorkProofProps) {
  return (
    <WithTexts part={wayTexts} fallback={<div className={styles.proof} />}>
      <Proof {...props} />
    </WithTexts>
  );
}

function Proof({ captcha, onProved, onPicture }: WorkProofProps) {
  const text = useText();
  const { work } = captcha;
  const { percent, isDone, hasFailed } = useWork(work, onProved);
  const statusId = useId();
  const picture = useRef<HTMLButtonElement>(null);
  useEffect(() => picture.current?.focus(), []);
  const words = hasFailed || captcha.hasFailed ? text('ways.workFailed') : isDone ? text('ways.worked') : text('ways.working', { percent });
  return (
    <div className={styles.proof}>
      <div className={styles.line}>
        {/* In steps: a screen reader that heard every percent would say nothing else. */}
        <p id={statusId} role="status" data-done={isDone}>
          {isDone && <Icon name="check" size={16} />}
          {words}
        </p>
        <progress className={styles.bar} aria-label={text('ways.workTitle')} max={100} value={isDone ? 100 : percent} />
      </div>
      <button ref={picture} type="button" name="code" className={styles.other} aria-describedby={statusId} onClick={onPicture}>
        {text('ways.usePicture')}
      </button>
    </div>
  );
}

/** Begins with each challenge, and stops with it. */
function useWork(work: Captcha['work'], onProved: (code: string) => void) {
  const [progress, setProgress] = useState({ percent: 0, isDone: false, hasFailed: false });
  const told = useRef(onProved);
  told.current = onProved;
  useEffect(() => {
    setProgress({ percent: 0, isDone: false, hasFailed: false });
    if (!work) return;
    const leaving = new AbortController();
    const onProgress = (fraction: number) => setProgress({ percent: Math.floor(fraction * 4) * 25, isDone: false, hasFailed: false });
    solved(work, onProgress, leaving.signal).then(
      (code) => {
        if (leaving.signal.aborted) return;
        setProgress({ percent: 100, isDone: true, hasFailed: false });
        told.current(code);
      },
      () => leaving.signal.aborted || setProgress({ percent: 0, isDone: false, hasFailed: true }),
    );
    return () => leaving.abort();
  }, [work]);
  return progress;
}
