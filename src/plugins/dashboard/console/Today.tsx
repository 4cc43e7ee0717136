import { useTranslation } from '#kernel';
import type { DayFigure } from '#shared/figures';
import { dashboardMessages } from '../contract.ts';
import styles from './dashboard.module.css';
import { FigureTile } from './FigureTile.tsx';
import { useFigureText } from './figure-text.ts';
import { Skeletons } from './Skeletons.tsx';

/** Shows today's metrics compared with yesterday. */
export function Today({ figures, room }: { readonly figures: readonly DayFigure[] | undefined; readonly room: number }) {
  const t = useTranslation();
  if ((figures?.length ?? room) === 0) return null;
  return (
    <section className={styles.band} aria-busy={!figures}>
      <h2>{t(dashboardMessages.today)}</h2>
      <ul className={styles.tiles}>
        {figures ? figures.map((figure) => <Tile key={figure.id} figure={figure} />) : <Skeletons count={room} className={styles.tile} />}
      </ul>
    </section>
  );
}

function Tile({ figure: { title, unit, today, yesterday, rows } }: { readonly figure: DayFigure }) {
  const t = useTranslation();
  const text = useFigureText();
  return (
    <FigureTile rows={rows}>
      <span className={styles.tileTitle}>{t(title)}</span>
      <strong>{text.full(today, unit)}</strong>
      <span className={styles.tileNote}>{t(dashboardMessages.yesterday, { value: text.full(yesterday, unit) })}</span>
    </FigureTile>
  );
}
