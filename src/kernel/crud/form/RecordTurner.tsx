import { IconLeft, IconRight } from '@arco-design/web-react/icon';
import { useText } from '../../i18n/use-words.ts';
import { IconButton } from '../../shell/IconButton.tsx';
import { useStore } from '../../use-store.ts';
import type { Row } from '../crud-screen.ts';
import type { CrudStore } from '../crud-store.ts';
import { flatten } from '../entity-fields.ts';

interface RecordTurnerProps {
  readonly store: CrudStore;
  readonly row: Row;
  readonly onTurn: (row: Row) => void;
}

/** Turns to the row before or after in the list, as far as its page goes. */
export function RecordTurner({ store, row, onTurn }: RecordTurnerProps) {
  const text = useText();
  const listed = useStore(store, (state) => state.rows);
  const rows = flatten(listed);
  const place = rows.findIndex(({ id }) => id === row.id);
  const [before, after] = [rows[place - 1], rows[place + 1]];
  if (place < 0 || rows.length < 2) return null;
  return (
    <span className="crud-form__turner">
      <IconButton label={text('form.previous')} disabled={!before} onClick={() => before && onTurn(before)}>
        <IconLeft />
      </IconButton>
      <span aria-live="polite">{text('form.place', { place: place + 1, count: rows.length })}</span>
      <IconButton label={text('form.next')} disabled={!after} onClick={() => after && onTurn(after)}>
        <IconRight />
      </IconButton>
    </span>
  );
}
