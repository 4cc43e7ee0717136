import type { CSSProperties, ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useRowsLink, useTranslation } from '#kernel';
import { maxCountedRows } from '#shared/contract';
import type { DayFigure, WaitingFigure } from '#shared/figures';
import type { LocalizedText } from '#shared/text';
import { dashboardMessages } from '../contract.ts';
import styles from './dashboard.module.css';
import { useFigureText } from './figure-text.ts';

interface TilesProps<Figure> {
  /** Undefined while loading, which is shown by placeholders. */
  readonly figures: readonly Figure[] | undefined;
  readonly placeholders: number;
}

/** Shows the user's pending work; each tile links to its queue. */
export function PendingTiles(props: TilesProps<WaitingFigure>) {
  const t = useTranslation();
  const text = useFigureText();
  return (
    <Tiles {...props} title={dashboardMessages.waiting}>
      {({ title, count, amount }) => (
        <>
          <span className={styles.tileTitle}>{t(title)}</span>
          <span className={styles.tileValue}>
            <strong className={count > 0 ? styles.pending : styles.done}>
              {count >= maxCountedRows ? t(dashboardMessages.many) : text.full(count, 'count')}
            </strong>
            {amount !== undefined && count > 0 && <span className={styles.tileNote}>{text.full(amount, 'money')}</span>}
          </span>
        </>
      )}
    </Tiles>
  );
}

/** Shows today's metrics compared with yesterday. */
export function TodayTiles(props: TilesProps<DayFigure>) {
  const t = useTranslation();
  const text = useFigureText();
  return (
    <Tiles {...props} title={dashboardMessages.today}>
      {({ title, unit, today, yesterday }) => (
        <>
          <span className={styles.tileTitle}>{t(title)}</span>
          <span className={styles.tileValue}>
            <strong>{text.full(today, unit)}</strong>
            <span className={styles.tileNote}>{t(dashboardMessages.yesterday, { value: text.full(yesterday, unit) })}</span>
          </span>
        </>
      )}
    </Tiles>
  );
}

/** Row of tiles, one per metric; each links to the underlying records when the user has their page. */
function Tiles<Figure extends Pick<DayFigure, 'id' | 'rows'>>({
  title,
  figures,
  placeholders,
  children,
}: TilesProps<Figure> & { readonly title: LocalizedText; readonly children: (figure: Figure) => ReactNode }) {
  const t = useTranslation();
  const linkOf = useRowsLink();
  if ((figures?.length ?? placeholders) === 0) return null;
  return (
    <section className={styles.section} style={{ '--tiles': figures?.length ?? placeholders } as CSSProperties} aria-busy={!figures}>
      <h2>{t(title)}</h2>
      <ul className={styles.tiles}>
        {figures?.map((figure) => {
          const to = linkOf(figure.rows);
          return (
            <li key={figure.id}>
              {to ? (
                <Link to={to} className={styles.tile}>
                  {children(figure)}
                </Link>
              ) : (
                <div className={styles.tile}>{children(figure)}</div>
              )}
            </li>
          );
        }) ??
          Array.from({ length: placeholders }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: placeholders differ only by their index
            <li key={index} aria-hidden="true">
              <div className={`${styles.tile} ${styles.skeleton}`} />
            </li>
          ))}
      </ul>
    </section>
  );
}
