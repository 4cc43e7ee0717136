import { Suspense } from 'react';
import { lazyComponent } from '../../ui/loading/lazy-component.tsx';
import type { PartialBatchDialogProps } from './PartialBatchDialog.tsx';

const PartialBatchDialog = lazyComponent(() => import('./PartialBatchDialog.tsx'));

/** Reports the rows that a batch has left out, with their reasons, in a dialog that stays until it is closed. */
export function PartialBatchReport(props: PartialBatchDialogProps) {
  return (
    <Suspense>
      <PartialBatchDialog {...props} />
    </Suspense>
  );
}
