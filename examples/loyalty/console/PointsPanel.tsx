import { Progress } from '@arco-design/web-react';
import { useMemo } from 'react';
import { Http, loadable, usePluginOptions, useService, useStream, useTranslation } from '#kernel';
import { loyalty } from '../contract.ts';
import type LoyaltyOptions from '../options.ts';
import { words } from './messages.ts';
import styles from './points.module.css';

/** Progress towards this month's goal, and the members with the most points. */
export default function PointsPanel() {
  const http = useService(Http);
  const t = useTranslation();
  const { monthlyGoal } = usePluginOptions<typeof LoyaltyOptions>();
  const summary$ = useMemo(() => loadable(http.send(loyalty.summary, {})), [http]);
  const { status, value } = useStream(summary$, { status: 'loading' });
  if (status === 'failed') return <p role="alert">{t(words.failed)}</p>;
  if (!value) return <p aria-busy="true" />;
  return (
    <div className={styles.panel}>
      <p className={styles.sum}>
        <strong>{value.points.toLocaleString()}</strong> <span>{t(words.goal, { goal: monthlyGoal.toLocaleString() })}</span>
      </p>
      <Progress percent={Math.min(100, Math.round((value.points / monthlyGoal) * 100))} showText={false} />
      {value.leaders.length === 0 ? (
        <p className={styles.none}>{t(words.none)}</p>
      ) : (
        <ol className={styles.leaders}>
          {value.leaders.map(({ memberId, memberName, points }) => (
            <li key={memberId}>
              <span>{memberName}</span> <span>{points.toLocaleString()}</span>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
