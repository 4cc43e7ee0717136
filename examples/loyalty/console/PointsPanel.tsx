import { Progress } from '@arco-design/web-react';
import { usePluginOptions, useQuery, useTranslation } from '#kernel';
import { loyalty } from '../contract.ts';
import type LoyaltyOptions from '../options.ts';
import { words } from './messages.ts';
import styles from './points.module.css';

/** Progress towards this month's goal, and the members with the most points. */
export default function PointsPanel() {
  const t = useTranslation();
  const { monthlyGoal } = usePluginOptions<typeof LoyaltyOptions>();
  const { data, error } = useQuery(loyalty.summary, {});
  if (error) return <p role="alert">{t(words.failed)}</p>;
  if (!data) return <p aria-busy="true" />;
  return (
    <div className={styles.panel}>
      <p className={styles.sum}>
        <strong>{data.points.toLocaleString()}</strong> <span>{t(words.goal, { goal: monthlyGoal.toLocaleString() })}</span>
      </p>
      <Progress percent={Math.min(100, Math.round((data.points / monthlyGoal) * 100))} showText={false} />
      {data.leaders.length === 0 ? (
        <p className={styles.none}>{t(words.none)}</p>
      ) : (
        <ol className={styles.leaders}>
          {data.leaders.map(({ memberId, memberName, points }) => (
            <li key={memberId}>
              <span>{memberName}</span> <span>{points.toLocaleString()}</span>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
