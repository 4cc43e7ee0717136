import { useTranslation } from '#kernel';
import type { JobRate } from '../overview-contract.ts';
import styles from './overview.module.css';
import { overviewMessages } from './overview-messages.ts';

/** Rounded down, so that a rate with a failure is never shown as 100 %. */
const percentOf = ({ succeeded, failed }: JobRate) => Math.floor((1000 * succeeded) / (succeeded + failed)) / 10;

/** Shows a success rate with its counts; a dash while no run has finished. */
export function RateText({ rate, isLarge = false }: { readonly rate: JobRate; readonly isLarge?: boolean }) {
  const t = useTranslation();
  const { succeeded, failed } = rate;
  if (succeeded + failed === 0) return <span className={styles.soft}>{isLarge ? t(overviewMessages.noRuns) : '—'}</span>;
  const counts = t(overviewMessages.counts, { succeeded, failed });
  return (
    <span className={isLarge ? styles.large : undefined} title={counts}>
      <strong data-tone={failed > 0 ? 'warning' : 'good'}>{percentOf(rate)}%</strong>
      {isLarge && <span className={styles.soft}>{counts}</span>}
    </span>
  );
}
