import { Link } from 'react-router-dom';
import { useTranslation } from '#kernel';
import type { ChartFigure } from '#shared/figures';
import { dashboardMessages } from '../contract.ts';
import styles from './dashboard.module.css';
import { useFigureText } from './figure-text.ts';
import { labelOf } from './label-of.ts';
import { useRowsLink } from './use-rows-link.ts';

/** Table of the values of a chart, the latest day first; each row links to the underlying records. */
export function ChartTable({ chart, caption }: { readonly chart: ChartFigure; readonly caption: string }) {
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
