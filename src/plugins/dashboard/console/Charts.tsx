import { useId, useState } from 'react';
import { Link } from 'react-router-dom';
import { HomePanel, SegmentedControl, Switch, useRowsLink, useStore, useTranslation } from '#kernel';
import type { ChartFigure } from '#shared/figures';
import { dashboardMessages, spans } from '../contract.ts';
import { BarChart } from './BarChart.tsx';
import styles from './Charts.module.css';
import { type FigureStore, panelsOf } from './figure-store.ts';
import { labelOf, useFigureText } from './figure-text.ts';

/** Charts of trends and shares over the last days. */
export function Charts({ store }: { readonly store: FigureStore }) {
  const t = useTranslation();
  const board = useStore(store, (state) => state.board);
  const placeholderCount = useStore(store, (state) => state.placeholders.charts);
  const span = useStore(store, (state) => state.span);
  const panels = board ? panelsOf(board.charts) : undefined;
  if ((panels?.length ?? placeholderCount) === 0) return null;
  return (
    <section className={styles.charts} aria-busy={!board}>
      <header className={styles.chartsHead}>
        <h2>{t(dashboardMessages.charts)}</h2>
        <SegmentedControl
          label={t(dashboardMessages.span)}
          value={span}
          onChange={(days) => store.show(days)}
          segments={spans.map((count) => ({ value: count, label: t(dashboardMessages.lastDays, { count }) }))}
        />
      </header>
      {panels
        ? panels.map((charts) => <ChartPanel key={charts[0]?.group?.id ?? charts[0]?.id} charts={charts} />)
        : // biome-ignore lint/suspicious/noArrayIndexKey: placeholders differ only by their index
          Array.from({ length: placeholderCount }, (_, index) => <div key={index} className={styles.skeleton} />)}
    </section>
  );
}

/** Panel of one or several charts, drawn or as a table. */
function ChartPanel({ charts }: { readonly charts: readonly ChartFigure[] }) {
  const t = useTranslation();
  const switchId = useId();
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
          <Switch id={switchId} isOn={isTable} onChange={setIsTable} aria-label={t(dashboardMessages.asTable, { title })} />
          <label htmlFor={switchId}>{t(dashboardMessages.table)}</label>
        </span>
      }
    >
      {charts.length > 1 && (
        <div className={styles.groups}>
          <SegmentedControl label={title} value={chart.id} onChange={setSelectedId} segments={charts.map((one) => ({ value: one.id, label: t(one.title) }))} />
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
