import { Suspense } from 'react';
import { lazyComponent } from '../../ui/loading/lazy-component.tsx';
import type { RowHistoryProps } from './SettingsHistory.tsx';

const SettingsHistory = lazyComponent(() => import('./SettingsHistory.tsx'));

/** Lists the changes of a row that has no page of its own, such as settings. */
export function RowHistory(props: RowHistoryProps) {
  return (
    <Suspense>
      <SettingsHistory {...props} />
    </Suspense>
  );
}
