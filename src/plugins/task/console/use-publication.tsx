import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { Http, lazyComponent, useService } from '#kernel';
import { type PublicationPlan, publicationPlan } from '../contract.ts';

const PublishSheet = lazyComponent(() => import('./PublishSheet.tsx'));

interface AskedPublication {
  readonly plan: PublicationPlan;
  /** Number of tasks that were selected. */
  readonly count: number;
}

/** Asks before tasks are published, with their cost and the money of their advertisers. Tasks of which none can be published are not asked about. */
export function usePublication() {
  const http = useService(Http);
  const [asked, setAsked] = useState<AskedPublication>();
  /** Answers the open question, if there is one. */
  const answer = useRef<(isConfirmed: boolean) => void>(() => undefined);
  useEffect(() => () => answer.current(false), []);
  const confirm = async (ids: readonly string[]): Promise<boolean> => {
    const { success, data: plan } = await http.send(publicationPlan, { ids: [...ids] });
    if (!success) return false;
    if (plan.shares.length === 0) return true;
    answer.current(false);
    return new Promise((resolve) => {
      answer.current = resolve;
      setAsked({ plan, count: ids.length });
    });
  };
  const close = (isConfirmed: boolean) => {
    answer.current(isConfirmed);
    setAsked(undefined);
  };
  const sheet: ReactNode = asked && (
    <Suspense>
      <PublishSheet plan={asked.plan} count={asked.count} onClose={close} />
    </Suspense>
  );
  return { sheet, confirm };
}
