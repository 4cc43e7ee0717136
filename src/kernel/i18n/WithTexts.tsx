import { type ReactNode, useEffect, useState } from 'react';
import { useService } from '../services.tsx';
import { KernelTexts } from './kernel-texts.ts';
import type { TextPart } from './texts.ts';

/** Shows its children once a part of the kernel's words is there. */
export function WithTexts({ part, fallback, children }: { readonly part: TextPart; readonly fallback?: ReactNode; readonly children: ReactNode }) {
  const texts = useService(KernelTexts);
  const [isReady, setReady] = useState(() => texts.has(part));
  useEffect(() => {
    let isHere = true;
    void texts.add(part).then(() => isHere && setReady(true));
    return () => {
      isHere = false;
    };
  }, [texts, part]);
  return isReady ? children : fallback;
}
