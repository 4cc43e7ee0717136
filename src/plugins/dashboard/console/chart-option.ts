import type { EChartsCoreOption } from 'echarts/core';
import type { ChartFigure, ChartRow, FigureTone } from '#shared/figures';
import type { LocalizedText } from '#shared/text';
import type { FigureText } from './figure-text.ts';

interface ChartInput {
  readonly chart: ChartFigure;
  readonly t: (text: LocalizedText) => string;
  readonly text: FigureText;
  readonly colours: Colours;
  readonly reducedMotion: boolean;
  readonly labelOf: (row: ChartRow) => string;
}

const maxLabelLength = 9;

/** Builds the options of the chart library. */
export function chartOption({ chart, t, text, colours, reducedMotion, labelOf }: ChartInput): EChartsCoreOption {
  const isBars = chart.shape === 'bars';
  const labels = chart.rows.map(labelOf);
  const fonts = { color: colours.soft, fontSize: colours.size };
  const names = {
    type: 'category' as const,
    data: labels,
    inverse: isBars,
    axisTick: { show: false },
    axisLine: { lineStyle: { color: colours.line } },
    axisLabel: { ...fonts, formatter: (label: string) => (isBars ? truncate(label) : label.slice(5)), hideOverlap: true },
    triggerEvent: true,
  };
  const values = {
    type: 'value' as const,
    splitNumber: 4,
    minInterval: chart.unit === 'count' ? 1 : 100,
    splitLine: { lineStyle: { color: colours.line } },
    axisLabel: { ...fonts, formatter: (value: number) => text.short(value, chart.unit), hideOverlap: true },
  };
  return {
    animation: !reducedMotion,
    animationDuration: 400,
    textStyle: { fontFamily: 'inherit' },
    grid: { left: 8, right: 16, top: chart.series.length > 1 ? 36 : 12, bottom: 4, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
    legend: { show: chart.series.length > 1, top: 0, right: 0, icon: 'roundRect', itemWidth: 12, itemHeight: 8, textStyle: fonts },
    tooltip: {
      trigger: 'axis',
      // Tooltips are drawn on the canvas instead of inserted as HTML.
      renderMode: 'richText',
      confine: true,
      axisPointer: { type: isBars ? 'shadow' : 'line', lineStyle: { color: colours.soft }, shadowStyle: { color: colours.line, opacity: 0.5 } },
      backgroundColor: colours.surface,
      borderColor: colours.line,
      textStyle: { color: colours.text, fontSize: colours.size },
      valueFormatter: (value: unknown) => text.full(Number(value), chart.unit),
    },
    xAxis: isBars ? values : { ...names, boundaryGap: false },
    yAxis: isBars ? names : values,
    series: chart.series.map(({ title, tone }, index) => ({
      name: t(title),
      type: isBars ? 'bar' : 'line',
      data: chart.rows.map((row) => row.values[index] ?? 0),
      color: colours.tones[tone],
      cursor: 'pointer',
      ...(isBars ? { stack: 'all', barMaxWidth: 18 } : { smooth: 0.2, showSymbol: false, symbolSize: 6, lineStyle: { width: 2 } }),
      ...(!isBars && chart.series.length === 1 ? { areaStyle: { opacity: 0.12 } } : {}),
    })),
  };
}

const truncate = (label: string) => (label.length > maxLabelLength ? `${label.slice(0, maxLabelLength)}…` : label);

interface Colours {
  readonly tones: Readonly<Record<FigureTone, string>>;
  readonly text: string;
  readonly soft: string;
  readonly line: string;
  readonly surface: string;
  readonly size: number;
}

/** Reads the colours of a chart from the style tokens of its element. */
export function readColours(element: Element): Colours {
  const style = getComputedStyle(element);
  const token = (name: string) => style.getPropertyValue(name).trim();
  return {
    tones: {
      brand: token('--brand-ink'),
      good: token('--success-ink'),
      warning: token('--warning-ink'),
      danger: token('--danger-ink'),
      neutral: token('--text-faint'),
    },
    text: token('--text'),
    soft: token('--text-soft'),
    line: token('--line'),
    surface: token('--surface'),
    size: Number.parseFloat(style.fontSize) || 12,
  };
}
