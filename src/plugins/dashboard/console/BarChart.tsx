import { type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import { useRowsLink, useTranslation } from '#kernel';
import type { ChartFigure, ChartRow, FigureUnit } from '#shared/figures';
import styles from './Charts.module.css';
import { type FigureText, labelOf, useFigureText } from './figure-text.ts';

const axisParts = [1, 0.75, 0.5, 0.25, 0];
const dayLabels = 6;

interface BarChartProps {
  readonly chart: ChartFigure;
  readonly title: string;
}

/** Draws a chart with plain elements: columns for days, horizontal bars for parts of a whole. Each opens its records. */
export function BarChart({ chart, title }: BarChartProps) {
  const t = useTranslation();
  return (
    <figure className={styles.figure} aria-label={title}>
      {chart.series.length > 1 && (
        <figcaption className={styles.legend}>
          {chart.series.map((series) => (
            <span key={series.title[1]} data-tone={series.tone}>
              {t(series.title)}
            </span>
          ))}
        </figcaption>
      )}
      {chart.shape === 'days' ? <DayColumns chart={chart} /> : <PartBars chart={chart} />}
    </figure>
  );
}

/** Columns of the days with an axis; the values of a day show while the pointer is over it. */
function DayColumns({ chart }: Pick<BarChartProps, 'chart'>) {
  const t = useTranslation();
  const text = useFigureText();
  const [shown, setShown] = useState<number>();
  const stacks = stacksOf(chart);
  const heights = chart.rows.flatMap(({ values }) => stacks.map((stack) => stack.reduce((sum, series) => sum + (values[series] ?? 0), 0)));
  const max = axisMax(Math.max(...heights), chart.unit, axisParts.length - 1);
  const every = Math.ceil(chart.rows.length / dayLabels);
  const row = shown === undefined ? undefined : chart.rows[shown];
  return (
    <div className={styles.plot}>
      <div className={styles.axis} aria-hidden="true">
        {axisParts.map((part) => (
          <span key={part}>{text.short(max * part, chart.unit)}</span>
        ))}
      </div>
      <ol className={styles.days} onPointerLeave={() => setShown(undefined)}>
        {chart.rows.map((one, index) => (
          <li key={one.key} data-shown={index === shown} onPointerEnter={() => setShown(index)}>
            <RowLink row={one} label={describe({ chart, row: one, text, t })}>
              {stacks.map((stack) => (
                <span key={stack[0]} className={styles.column}>
                  {stack.map((series) => (
                    <span key={series} data-tone={chart.series[series]?.tone} style={{ height: `${((one.values[series] ?? 0) / max) * 100}%` }} />
                  ))}
                </span>
              ))}
            </RowLink>
            {(chart.rows.length - 1 - index) % every === 0 && (
              <span className={styles.dayLabel} aria-hidden="true">
                {labelOf(one, t).slice(5)}
              </span>
            )}
          </li>
        ))}
      </ol>
      {row && shown !== undefined && <Tooltip chart={chart} row={row} text={text} position={(shown + 0.5) / chart.rows.length} />}
    </div>
  );
}

function Tooltip({
  chart,
  row,
  text,
  position,
}: {
  readonly chart: ChartFigure;
  readonly row: ChartRow;
  readonly text: FigureText;
  readonly position: number;
}) {
  const t = useTranslation();
  const side = position > 0.5 ? { right: `${(1 - position) * 100}%` } : { left: `${position * 100}%` };
  return (
    <div className={styles.tooltipArea} aria-hidden="true">
      <dl className={styles.tooltip} style={side}>
        <dt>{labelOf(row, t)}</dt>
        {chart.series.map((series, index) => (
          <dd key={series.title[1]} data-tone={series.tone}>
            {t(series.title)} <strong>{text.full(row.values[index] ?? 0, chart.unit)}</strong>
          </dd>
        ))}
      </dl>
    </div>
  );
}

/** Bars of the parts, longest first, each with its value. */
function PartBars({ chart }: Pick<BarChartProps, 'chart'>) {
  const t = useTranslation();
  const text = useFigureText();
  const totals = chart.rows.map(({ values }) => values.reduce((sum, value) => sum + value, 0));
  const max = Math.max(...totals, 1);
  return (
    <ol className={styles.parts}>
      {chart.rows.map((row, index) => (
        <li key={row.key}>
          <RowLink row={row} label={describe({ chart, row, text, t })}>
            <span className={styles.part} title={labelOf(row, t)}>
              {labelOf(row, t)}
            </span>
            <span className={styles.track}>
              {chart.series.map((series, at) => (
                <span key={series.title[1]} data-tone={series.tone} style={{ width: `${((row.values[at] ?? 0) / max) * 100}%` }} />
              ))}
            </span>
            <span className={styles.total}>{text.full(totals[index] ?? 0, chart.unit)}</span>
          </RowLink>
        </li>
      ))}
    </ol>
  );
}

interface DescribeInput {
  readonly chart: ChartFigure;
  readonly row: ChartRow;
  readonly text: FigureText;
  readonly t: ReturnType<typeof useTranslation>;
}

/** Returns the label and the values of a row as one line. */
const describe = ({ chart, row, text, t }: DescribeInput): string =>
  `${labelOf(row, t)} ${chart.series.map(({ title }, index) => `${t(title)} ${text.full(row.values[index] ?? 0, chart.unit)}`).join(', ')}`;

/** Links to the records of a row. Links are left out of the tab order, because the table of the chart has the same ones. */
function RowLink({ row, label, children }: { readonly row: ChartRow; readonly label: string; readonly children: ReactNode }) {
  const to = useRowsLink()(row.rows);
  if (to)
    return (
      <Link className={styles.row} to={to} tabIndex={-1} aria-label={label}>
        {children}
      </Link>
    );
  return (
    <span className={styles.row} role="img" aria-label={label}>
      {children}
    </span>
  );
}

const roundFactors = [1, 2, 2.5, 5, 10];

/** Returns the end of an axis that holds `highest` in steps of round numbers; money is in 分, with steps of whole units. */
function axisMax(highest: number, unit: FigureUnit, steps: number): number {
  const smallest = unit === 'money' ? 100 : 1;
  const step = Math.max(highest / steps, smallest) / smallest;
  const power = 10 ** Math.floor(Math.log10(step));
  const factor = roundFactors.find((one) => one * power >= step && Number.isInteger(one * power)) ?? 10;
  return factor * power * smallest * steps;
}

/** Returns the indexes of the series of each column; series of one stack stand on each other. */
function stacksOf({ series }: ChartFigure): readonly (readonly number[])[] {
  const stacks = new Map<string | number, number[]>();
  series.forEach(({ stack }, index) => {
    stacks.set(stack ?? index, [...(stacks.get(stack ?? index) ?? []), index]);
  });
  return [...stacks.values()];
}
