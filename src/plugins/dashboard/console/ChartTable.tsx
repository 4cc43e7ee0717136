import { Link } from 'react-router-dom';
import { useWords } from '#kernel';
import type { ChartFigure } from '#shared/figures';
import { dashboardWords } from '../contract.ts';
import styles from './dashboard.module.css';
import { useFigureText } from './figure-text.ts';
import { labelOf } from './label-of.ts';
import { useRowsLink } from './use-rows-link.ts';

/** Table of the values of a chart, the latest day first; each row links to the underlying records. */
export function ChartTable({ chart, caption }: { readonly chart: ChartFigure; readonly caption: string }) {
  const say = useWords();
  const text = useFigureText();
  const linkOf = useRowsLink();
  const rows = chart.shape === 'days' ? chart.rows.toReversed() : chart.rows;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area has to be reachable by keyboard
    <section className={styles.table} tabIndex={0} aria-label={caption}>
      <table>
        <thead>
          <tr>
            <th scope="col">{chart.shape === 'days' ? say(dashboardWords.day) : say(chart.group ? chart.title : dashboardWords.part)}</th>
            {chart.series.map(({ title }) => (
              <th key={title[1]} scope="col">
                {say(title)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const to = linkOf(row.rows);
            return (
              <tr key={row.key}>
                <th scope="row">{to ? <Link to={to}>{labelOf(row, say)}</Link> : labelOf(row, say)}</th>
                {chart.series.map(({ title }, place) => (
                  <td key={title[1]}>{text.full(row.values[place] ?? 0, chart.unit)}</td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
