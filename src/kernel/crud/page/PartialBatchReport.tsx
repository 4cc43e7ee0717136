import { lazyComponent } from '../../ui/loading/lazy-component.tsx';

/** Dialog that reports the rows that a batch has left out, with reasons; loaded when it is shown first. */
export const PartialBatchReport = lazyComponent(() => import('./PartialBatchDialog.tsx'));
