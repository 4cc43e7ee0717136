import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { DayFigure } from '#shared/figures';
import styles from './dashboard.module.css';
import { useRowsLink } from './use-rows-link.ts';

/** Tile of one metric; it links to the underlying records when the user has their page. */
export function FigureTile({ rows, children }: { readonly rows: DayFigure['rows']; readonly children: ReactNode }) {
  const to = useRowsLink()(rows);
  return (
    <li>
      {to ? (
        <Link to={to} className={styles.tile}>
          {children}
        </Link>
      ) : (
        <div className={styles.tile}>{children}</div>
      )}
    </li>
  );
}
