import { Suspense } from 'react';
import { type ListToolbarProps, lazyComponent, useService, useStore } from '#kernel';
import { WhyStore } from './why-action.ts';

const WhyPanel = lazyComponent(() => import('./WhyPanel.tsx'));

/** Shows the explanation of a row of its list; nothing until a row is asked about. */
export function WhyItem({ crud }: ListToolbarProps) {
  const store = useService(WhyStore);
  const asked = useStore(store, (state) => state.asked);
  if (asked?.crud.menu !== crud.menu) return null;
  return (
    <Suspense>
      <WhyPanel asked={asked} onClose={() => store.ask(undefined)} />
    </Suspense>
  );
}
