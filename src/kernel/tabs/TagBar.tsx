import { memo, Suspense } from 'react';
import { part } from '../part.tsx';
import styles from './TabBar.module.css';

// Without it every page can still be reached: a bar that could not be fetched is left out until the next reload.
const TabBar = part(() => import('./TabBar.tsx'));

/** The tab bar, fetched by those who want it; its place is kept meanwhile. */
export const TagBar = memo(function TagBar() {
  return (
    <Suspense fallback={<div className={styles.bar} />}>
      <TabBar />
    </Suspense>
  );
});
