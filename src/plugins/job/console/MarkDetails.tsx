import { Link } from 'react-router-dom';
import { useTranslation } from '#kernel';
import { traitsOf } from '#shared/fields';
import { jobInfoMenu, jobInstanceMenu } from '../menus.ts';
import { JobInstance } from '../run-contract.ts';
import styles from './calendar.module.css';
import { words } from './messages.ts';
import type { TimelineEvent } from './timeline-events.ts';

/** Lists the runs and due times behind one mark; each line links to the run or the job. */
export function MarkDetails({ mark: { runs, fires }, of }: { readonly mark: TimelineEvent; readonly of: string }) {
  const t = useTranslation();
  return (
    <ul className={styles.details}>
      {runs.map(({ id, state, time, duration }) => (
        <li key={id}>
          <Link to={`${jobInstanceMenu.path}/index?id=${id}`}>{time}</Link>
          <span className={`cell_tag cell_tag_${stateTraits?.tones?.[state] ?? 'neutral'}`}>{t(stateWords(state))}</span>
          {duration !== null && <span>{t(words.took, { time: (duration / 1000).toFixed(1) })}</span>}
        </li>
      ))}
      {fires.map((time) => (
        <li key={time}>
          <Link to={`${jobInfoMenu.path}/index?id=${of}`}>{time}</Link>
          <span>{t(words.due)}</span>
        </li>
      ))}
    </ul>
  );
}

const stateTraits = traitsOf(JobInstance.fields.state);
const stateWords = (state: number) => stateTraits?.options?.find(([known]) => known === state)?.[1] ?? [String(state), String(state)];
