import { Suspense, useEffect, useRef, useState } from 'react';
import { lazyComponent } from '../../../ui/loading/lazy-component.tsx';
import type { Captcha } from './captcha.ts';
import { ProofOfWork } from './ProofOfWork.tsx';

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
  const [isSelected, setIsChosen] = useState(false);
  useRenewal(byWork ? captcha.key : '', onRenew);

  const select = (isPicture: boolean) => {
    setIsChosen(true);
    preferPicture(isPicture);
    if (isPicture) onRenew();
    else onChange('');
  };
  if (byWork)
    return <ProofOfWork captcha={captcha} takesFocus={isSelected} onProved={onChange} onFailed={() => preferPicture(true)} onPicture={() => select(true)} />;
  return (
    <Suspense>
      <SignInCaptcha {...field} captcha={captcha} takesFocus={isSelected} onChange={onChange} onReload={onRenew} onWork={() => select(false)} />
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
