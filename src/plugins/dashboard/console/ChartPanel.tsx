import { Radio, Switch } from '@arco-design/web-react';
import { Suspense, useId, useRef, useState } from 'react';
import { HomePanel, lazyComponent, useTranslation } from '#kernel';
import type { ChartFigure } from '#shared/figures';
import { dashboardMessages } from '../contract.ts';
import { ChartTable } from './ChartTable.tsx';
import styles from './dashboard.module.css';
import { useVisibleWhenIdle } from './use-visible-when-idle.ts';

const Drawing = lazyComponent(() => import('./Drawing.tsx'));

/** Panel of one or several charts, as a drawing or a table. The chart library loads last; its space is reserved, and tables do not need it. */
export function ChartPanel({ charts }: { readonly charts: readonly ChartFigure[] }) {
  const t = useTranslation();
  const name = useId();
  const [chosen, setChosen] = useState<string>();
  const [isTable, setIsTable] = useState(false);
  const room = useRef<HTMLDivElement>(null);
  const mayDraw = useVisibleWhenIdle(room);
  const chart = charts.find(({ id }) => id === chosen) ?? charts[0];
  if (!chart) return null;
  const title = t(chart.group?.title ?? chart.title);
  const hasRows = chart.rows.length > 0;
  return (
    <HomePanel
      title={title}
      aside={
        <>
          {charts.length > 1 && (
            <Radio.Group
              type="button"
              size="small"
              name={name}
              aria-label={title}
              value={chart.id}
              onChange={setChosen}
              options={charts.map((one) => ({ value: one.id, label: t(one.title) }))}
            />
          )}
          <span className={styles.toggle}>
            <Switch size="small" checked={isTable} onChange={setIsTable} aria-label={t(dashboardMessages.asTable, { title })} />
            <span aria-hidden="true">{t(dashboardMessages.table)}</span>
          </span>
        </>
      }
    >
      <div ref={room} className={styles.chart}>
        {!hasRows && <p className={styles.vacancy}>{t(dashboardMessages.nothing)}</p>}
        {hasRows && isTable && <ChartTable chart={chart} caption={title} />}
        {hasRows && !isTable && mayDraw && (
          <Suspense fallback={<div className={styles.drawing} />}>
            <Drawing chart={chart} title={charts.length > 1 ? `${title} · ${t(chart.title)}` : title} />
          </Suspense>
        )}
      </div>
    </HomePanel>
  );
}
