import { Button } from '@arco-design/web-react';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { useShortTime } from '../form/saved-text.ts';

/** A row that a bulk edit has left out, because another user has changed it since it was listed. */
export interface StaleRow {
  readonly id: string;
  readonly title: string;
  readonly changedBy: string | null;
  readonly changedAt: string;
}

interface StaleRowsProps {
  readonly rows: readonly StaleRow[];
  readonly isSaving: boolean;
  readonly onRepeat: (id: string) => void;
  readonly onSkip: (id: string) => void;
}

/** Lists the rows that a bulk edit has left out, and edits or skips each of them. */
export function StaleRows({ rows, isSaving, onRepeat, onSkip }: StaleRowsProps) {
  const t = useTranslation();
  const shorten = useShortTime();
  return (
    <ul className="crud-bulk__stale">
      {rows.map(({ id, title, changedBy, changedAt }) => (
        <li key={id}>
          <span>
            <strong>{title}</strong>
            <br />
            {t(changedBy === null ? 'editing.staleUnnamed' : 'editing.staleBy', { name: changedBy ?? '', time: shorten(changedAt) })}
          </span>
          <Button disabled={isSaving} onClick={() => onRepeat(id)}>
            {t('editing.overwrite')}
          </Button>
          <Button disabled={isSaving} onClick={() => onSkip(id)}>
            {t('editing.skip')}
          </Button>
        </li>
      ))}
    </ul>
  );
}
