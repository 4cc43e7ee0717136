import { Suspense } from 'react';
import { type ListToolbarProps, lazyComponent, useService, useStore } from '#kernel';
import { AccessCheckStore } from './access-check-action.ts';

const AccessCheckPanel = lazyComponent(() => import('./AccessCheckPanel.tsx'));

/** Shows the explanation of access to a row of its list; nothing until the row action opens it. */
export function AccessCheckItem({ crud }: ListToolbarProps) {
  const store = useService(AccessCheckStore);
  const row = useStore(store, (state) => state.row);
  if (row?.crud.menu !== crud.menu) return null;
  return (
    <Suspense>
      <AccessCheckPanel row={row} onClose={() => store.setRow(undefined)} />
    </Suspense>
  );
}
