import { useService } from '../../base/react/services.tsx';
import { useStream } from '../../base/react/use-stream.ts';
import { Progress } from '../routes/progress.ts';
import styles from './ProgressBar.module.css';

/** Renders the thin bar at the top of the window while a page loads. */
export function ProgressBar() {
  const isBusy = useStream(useService(Progress).isBusy$, false);
  return <div className={styles.bar} data-busy={isBusy} aria-hidden="true" />;
}
