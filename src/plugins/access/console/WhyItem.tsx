import { Suspense } from 'react';
import { type ListToolbarProps, lazyComponent, useService, useStore } from '#kernel';
import { WhyStore } from './why-action.ts';

const WhyPanel = lazyComponent(() => import('./WhyPanel.tsx'));

/** Shows the explanation of access to a row of its list; nothing until the row action opens it. */
export function WhyItem({ crud }: ListToolbarProps) {
  const store = useService(WhyStore);
  const row = useStore(store, (state) => state.row);
  if (row?.crud.menu !== crud.menu) return null;
  return (
    <Suspense>
      <WhyPanel row={row} onClose={() => store.setRow(undefined)} />
    </Suspense>
  );
}
