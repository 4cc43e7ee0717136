import { useTranslation } from '#kernel';
import { countedRows } from '#shared/contract';
import type { WaitingFigure } from '#shared/figures';
import { dashboardMessages } from '../contract.ts';
import styles from './dashboard.module.css';
import { FigureTile } from './FigureTile.tsx';
import { useFigureText } from './figure-text.ts';
import { Skeletons } from './Skeletons.tsx';

/** Shows the user's pending work; each tile links to its queue. */
export function PendingTiles({ figures, room }: { readonly figures: readonly WaitingFigure[] | undefined; readonly room: number }) {
  const t = useTranslation();
  if ((figures?.length ?? room) === 0) return null;
  return (
    <section className={styles.band} aria-busy={!figures}>
      <h2>{t(dashboardMessages.waiting)}</h2>
      <ul className={styles.tiles}>
        {figures ? figures.map((figure) => <Tile key={figure.id} figure={figure} />) : <Skeletons count={room} className={styles.tile} />}
      </ul>
    </section>
  );
}

function Tile({ figure: { title, count, amount, rows } }: { readonly figure: WaitingFigure }) {
  const t = useTranslation();
  const text = useFigureText();
  return (
    <FigureTile rows={rows}>
      <span className={styles.tileTitle}>{t(title)}</span>
      <strong className={count > 0 ? styles.pressing : styles.done}>{count >= countedRows ? t(dashboardMessages.many) : text.full(count, 'count')}</strong>
      <span className={styles.tileNote}>{amount !== undefined && count > 0 ? text.full(amount, 'money') : ''}</span>
    </FigureTile>
  );
}
