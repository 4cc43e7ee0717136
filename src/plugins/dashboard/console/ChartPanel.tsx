import { Radio, Switch } from '@arco-design/web-react';
import { useId, useState } from 'react';
import { Link } from 'react-router-dom';
import { HomePanel, useRowsLink, useTranslation } from '#kernel';
import type { ChartFigure } from '#shared/figures';
import { dashboardMessages } from '../contract.ts';
import { BarChart } from './BarChart.tsx';
import styles from './Charts.module.css';
import { labelOf, useFigureText } from './figure-text.ts';

/** Panel of one or several charts, drawn or as a table. */
export function ChartPanel({ charts }: { readonly charts: readonly ChartFigure[] }) {
  const t = useTranslation();
  const name = useId();
  const [selectedId, setSelectedId] = useState<string>();
  const [isTable, setIsTable] = useState(false);
  const chart = charts.find(({ id }) => id === selectedId) ?? charts[0];
  if (!chart) return null;
  const title = t(chart.group?.title ?? chart.title);
  const hasRows = chart.rows.length > 0;
  return (
    <HomePanel
      title={title}
      aside={
        <span className={styles.toggle}>
          <Switch size="small" checked={isTable} onChange={setIsTable} aria-label={t(dashboardMessages.asTable, { title })} />
          <span aria-hidden="true">{t(dashboardMessages.table)}</span>
        </span>
      }
    >
      {charts.length > 1 && (
        <div className={styles.groups}>
          <Radio.Group
            type="button"
            size="mini"
            name={name}
            aria-label={title}
            value={chart.id}
            onChange={setSelectedId}
            options={charts.map((one) => ({ value: one.id, label: t(one.title) }))}
          />
        </div>
      )}
      <div className={styles.chart}>
        {!hasRows && <p className={styles.noData}>{t(dashboardMessages.nothing)}</p>}
        {hasRows && isTable && <ChartTable chart={chart} caption={title} />}
        {hasRows && !isTable && <BarChart chart={chart} title={charts.length > 1 ? `${title} · ${t(chart.title)}` : title} />}
      </div>
    </HomePanel>
  );
}

/** Table of the values of a chart, the latest day first; each row links to the underlying records. */
function ChartTable({ chart, caption }: { readonly chart: ChartFigure; readonly caption: string }) {
  const t = useTranslation();
  const text = useFigureText();
  const linkOf = useRowsLink();
  const rows = chart.shape === 'days' ? chart.rows.toReversed() : chart.rows;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area has to be reachable by keyboard
    <section className={styles.table} tabIndex={0} aria-label={caption}>
      <table>
        <thead>
          <tr>
            <th scope="col">{chart.shape === 'days' ? t(dashboardMessages.day) : t(chart.group ? chart.title : dashboardMessages.part)}</th>
            {chart.series.map(({ title }) => (
              <th key={title[1]} scope="col">
                {t(title)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const to = linkOf(row.rows);
            return (
              <tr key={row.key}>
                <th scope="row">{to ? <Link to={to}>{labelOf(row, t)}</Link> : labelOf(row, t)}</th>
                {chart.series.map(({ title }, index) => (
                  <td key={title[1]}>{text.full(row.values[index] ?? 0, chart.unit)}</td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
