import { Suspense, useEffect, useRef, useState } from 'react';
import { part } from '../part.tsx';
import type { Captcha } from './captcha.ts';
import { WorkProof } from './WorkProof.tsx';

// Most people never see the picture.
const SignInCaptcha = part(() => import('./SignInCaptcha.tsx'));

/** A challenge may be answered for 30 minutes; a page that stays open longer gets another one before that. */
const renewalMs = 25 * 60_000;

interface CaptchaProofProps {
  readonly captcha: Captcha;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Another code, and an empty field for it. */
  readonly onRenew: () => void;
  readonly problem: string | undefined;
  readonly describedBy: string | undefined;
}

/** The browser's own work, or the code of a picture for those who prefer it; after a change between the two the focus is there. */
export function CaptchaProof({ captcha, onChange, onRenew, ...field }: CaptchaProofProps) {
  const { byWork, preferPicture } = captcha;
  const [isChosen, setChosen] = useState(false);
  useRenewal(byWork ? captcha.key : '', onRenew);

  const choose = (isPicture: boolean) => {
    setChosen(true);
    preferPicture(isPicture);
    if (isPicture) onRenew();
    else onChange('');
  };
  if (byWork)
    return <WorkProof captcha={captcha} takesFocus={isChosen} onProved={onChange} onFailed={() => preferPicture(true)} onPicture={() => choose(true)} />;
  return (
    <Suspense>
      <SignInCaptcha {...field} captcha={captcha} takesFocus={isChosen} onChange={onChange} onReload={onRenew} onWork={() => choose(false)} />
    </Suspense>
  );
}

/** Renews a challenge that is about to run out: a person cannot see that a proof of work has expired. */
function useRenewal(key: string, renew: () => void) {
  const latest = useRef(renew);
  latest.current = renew;
  useEffect(() => {
    if (key === '') return;
    const timer = window.setTimeout(() => latest.current(), renewalMs);
    return () => window.clearTimeout(timer);
  }, [key]);
}
