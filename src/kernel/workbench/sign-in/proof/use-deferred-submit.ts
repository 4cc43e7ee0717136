import { type RefObject, useEffect, useState } from 'react';
import type { Captcha } from './captcha.ts';

/** Delays a submission while the browser still works on its proof, and submits the form when the proof is ready. */
export function useDeferredSubmit(form: RefObject<HTMLFormElement | null>, { byWork }: Captcha, code: string) {
  const [isHeld, setIsHeld] = useState(false);
  useEffect(() => {
    if (!isHeld || (byWork && code === '')) return;
    setIsHeld(false);
    if (byWork) form.current?.requestSubmit();
  }, [isHeld, byWork, code, form]);
  return { isHeld: isHeld && byWork, hold: () => setIsHeld(true) };
}
