import { lazyComponent } from '../../ui/loading/lazy-component.tsx';

/** Lists the changes of a row that has no page of its own, such as settings. Wrap it in `Suspense`. */
export const RowHistory = lazyComponent(() => import('./RowHistory.tsx'));
