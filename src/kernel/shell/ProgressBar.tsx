import { Progress } from '../router/progress.ts';
import { useService } from '../services.tsx';
import { useStream } from '../use-stream.ts';
import styles from './ProgressBar.module.css';

/** The thin bar above everything while a page is on its way. */
export function ProgressBar() {
  const isBusy = useStream(useService(Progress).isBusy$, false);
  return <div className={styles.bar} data-busy={isBusy} aria-hidden="true" />;
}
