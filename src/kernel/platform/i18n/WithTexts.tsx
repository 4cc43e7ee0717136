import { type ReactNode, useEffect, useState } from 'react';
import { useService } from '../../base/react/services.tsx';
import { KernelTexts } from './kernel-texts.ts';
import type { TextPart } from './texts.ts';

/** Shows its children once a part of the kernel's texts is loaded. */
export function WithTexts({ part, fallback, children }: { readonly part: TextPart; readonly fallback?: ReactNode; readonly children: ReactNode }) {
  const texts = useService(KernelTexts);
  const [isReady, setIsReady] = useState(() => texts.has(part));
  useEffect(() => {
    let isMounted = true;
    void texts.add(part).then(() => isMounted && setIsReady(true));
    return () => {
      isMounted = false;
    };
  }, [texts, part]);
  return isReady ? children : fallback;
}
