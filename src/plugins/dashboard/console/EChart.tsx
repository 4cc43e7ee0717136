import { BarChart, LineChart } from 'echarts/charts';
import { GridComponent, LegendComponent, TooltipComponent } from 'echarts/components';
import * as echarts from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import { useRowsLink, useTranslation } from '#kernel';
import type { ChartFigure } from '#shared/figures';
import { chartOption, readColours } from './chart-option.ts';
import styles from './dashboard.module.css';
import { labelOf, useFigureText } from './figure-text.ts';

// Only the chart types and components in use are imported, to keep the bundle small.
echarts.use([BarChart, LineChart, GridComponent, LegendComponent, TooltipComponent, CanvasRenderer]);

/** Draws a chart in the current colours of the console; a click opens the underlying records. The table of the chart has the same values. */
export default function EChart({ chart, title }: { readonly chart: ChartFigure; readonly title: string }) {
  const t = useTranslation();
  const text = useFigureText();
  const linkOf = useRowsLink();
  const navigate = useNavigate();
  const containerRef = useRef<HTMLDivElement>(null);
  const chartRef = useRef<echarts.ECharts>(undefined);
  const openRef = useRef<(index: number) => void>(undefined);

  useEffect(() => {
    openRef.current = (index) => {
      const to = linkOf(chart.rows[index]?.rows);
      if (to) navigate(to);
    };
  });

  useEffect(() => {
    const element = containerRef.current;
    if (!element) return undefined;
    const instance = echarts.init(element);
    chartRef.current = instance;
    // A click anywhere in a row counts, on a bar or beside it.
    instance.getZr().on('click', ({ offsetX, offsetY }) => {
      const at = instance.convertFromPixel({ gridIndex: 0 }, [offsetX, offsetY]) as number[];
      if (instance.containPixel({ gridIndex: 0 }, [offsetX, offsetY])) openRef.current?.(at[element.dataset.shape === 'bars' ? 1 : 0] as number);
    });
    const resizeObserver = new ResizeObserver(() => instance.resize());
    resizeObserver.observe(element);
    return () => {
      resizeObserver.disconnect();
      instance.dispose();
      chartRef.current = undefined;
    };
  }, []);

  useEffect(() => {
    const draw = () => {
      const element = containerRef.current;
      if (!element) return;
      const reducedMotion = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
      chartRef.current?.setOption(chartOption({ chart, t, text, colours: readColours(element), reducedMotion, labelOf: (row) => labelOf(row, t) }), {
        notMerge: true,
      });
    };
    draw();
    // Theme, density and dark mode are attributes of the body.
    const themeObserver = new MutationObserver(draw);
    themeObserver.observe(document.body, { attributes: true });
    return () => themeObserver.disconnect();
  }, [chart, t, text]);

  return <div ref={containerRef} className={styles.drawing} role="img" aria-label={title} data-shape={chart.shape} />;
}
