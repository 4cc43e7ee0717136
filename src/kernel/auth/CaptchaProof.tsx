import { Suspense, useEffect, useRef, useState } from 'react';
import { part } from '../part.tsx';
import type { Captcha } from './captcha.ts';
import { SignInCaptcha } from './SignInCaptcha.tsx';

const WorkProof = part(() => import('./WorkProof.tsx'));

interface CaptchaProofProps {
  readonly captcha: Captcha;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Another code, and an empty field for it. */
  readonly onRenew: () => void;
  readonly problem: string | undefined;
  readonly describedBy: string | undefined;
}

/** A picture's code, or the browser's own work in its place; whoever changes from one to the other has the focus there. */
export function CaptchaProof({ captcha, onChange, onRenew, ...field }: CaptchaProofProps) {
  const [works, setWorks] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const hasReturned = useRef(false);

  useEffect(() => {
    if (works || !hasReturned.current) return;
    hasReturned.current = false;
    box.current?.querySelector('input')?.focus();
  }, [works]);

  const showPicture = () => {
    hasReturned.current = true;
    setWorks(false);
    onRenew();
  };
  return (
    <div ref={box}>
      {works ? (
        <Suspense>
          <WorkProof captcha={captcha} onProved={onChange} onPicture={showPicture} />
        </Suspense>
      ) : (
        <SignInCaptcha {...field} captcha={captcha} onChange={onChange} onReload={onRenew} onWork={() => setWorks(true)} />
      )}
    </div>
  );
}
