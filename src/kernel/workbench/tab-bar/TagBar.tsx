import { memo, Suspense } from 'react';
import { lazyComponent } from '../../ui/loading/lazy-component.tsx';
import styles from './TabBar.module.css';

// Every page can be reached without the bar: one that failed to load is left out until the next reload.
const TabBar = lazyComponent(() => import('./TabBar.tsx'));

/** Renders the tab bar, loaded on demand; its space is reserved meanwhile. */
export const TagBar = memo(function TagBar() {
  return (
    <Suspense fallback={<div className={styles.bar} />}>
      <TabBar />
    </Suspense>
  );
});
