import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import { useTranslation } from '#kernel';
import type { ChartFigure } from '#shared/figures';
import { chartOption } from './chart-option.ts';
import { colours } from './colours.ts';
import styles from './dashboard.module.css';
import { echarts } from './echarts.ts';
import { useFigureText } from './figure-text.ts';
import { labelOf } from './label-of.ts';
import { useRowsLink } from './use-rows-link.ts';

/** Draws a chart in the current colours of the console; a click opens the underlying records. The table of the chart has the same values. */
export default function EChart({ chart, title }: { readonly chart: ChartFigure; readonly title: string }) {
  const t = useTranslation();
  const text = useFigureText();
  const linkOf = useRowsLink();
  const navigate = useNavigate();
  const containerRef = useRef<HTMLDivElement>(null);
  const drawn = useRef<echarts.ECharts>(undefined);
  const open = useRef<(index: number) => void>(undefined);

  useEffect(() => {
    open.current = (index) => {
      const to = linkOf(chart.rows[index]?.rows);
      if (to) navigate(to);
    };
  });

  useEffect(() => {
    const element = containerRef.current;
    if (!element) return undefined;
    const instance = echarts.init(element);
    drawn.current = instance;
    // A click anywhere in a row counts, on a bar or beside it.
    instance.getZr().on('click', ({ offsetX, offsetY }) => {
      const at = instance.convertFromPixel({ gridIndex: 0 }, [offsetX, offsetY]) as number[];
      if (instance.containPixel({ gridIndex: 0 }, [offsetX, offsetY])) open.current?.(at[element.dataset.shape === 'bars' ? 1 : 0] as number);
    });
    const sizes = new ResizeObserver(() => instance.resize());
    sizes.observe(element);
    return () => {
      sizes.disconnect();
      instance.dispose();
      drawn.current = undefined;
    };
  }, []);

  useEffect(() => {
    const draw = () => {
      const element = containerRef.current;
      if (!element) return;
      const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
      drawn.current?.setOption(chartOption({ chart, say: t, text, colours: colours(element), still, labelOf: (row) => labelOf(row, t) }), { notMerge: true });
    };
    draw();
    // Theme, density and dark mode are attributes of the body.
    const looks = new MutationObserver(draw);
    looks.observe(document.body, { attributes: true });
    return () => looks.disconnect();
  }, [chart, t, text]);

  return <div ref={containerRef} className={styles.drawing} role="img" aria-label={title} data-shape={chart.shape} />;
}
