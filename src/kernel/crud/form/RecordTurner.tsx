import { IconLeft, IconRight } from '@arco-design/web-react/icon';
import { useRef, useState } from 'react';
import { useText, useWords } from '../../i18n/use-words.ts';
import { useService } from '../../services.tsx';
import { IconButton } from '../../shell/IconButton.tsx';
import { Toasts } from '../../shell/toasts.ts';
import { useStore } from '../../use-store.ts';
import { useUnmount } from '../../use-unmount.ts';
import type { Row } from '../crud-screen.ts';
import type { CrudStore } from '../crud-store.ts';
import { flatten } from '../entity-fields.ts';
import { totalText } from '../total-text.ts';

/** Answers the row that is turned to; nothing where it did not come. */
export type Find = () => Promise<Row | undefined>;

interface RecordTurnerProps {
  readonly store: CrudStore;
  readonly row: Row;
  /** Turns once it may: what is on screen may have to be asked about before. */
  readonly onTurn: (find: Find) => Promise<void>;
}

/** Turns to the row before or after in the list, over its pages: the list behind follows. */
export function RecordTurner({ store, row, onTurn }: RecordTurnerProps) {
  const text = useText();
  const say = useWords();
  const toasts = useService(Toasts);
  const listed = useStore(store, (state) => state.rows);
  const { current, size } = useStore(store, (state) => state.query);
  const total = useStore(store, (state) => state.total);
  const isExact = useStore(store, (state) => state.totalExact);
  const isPaged = useStore(store, (state) => state.paged);
  const [isTurning, setTurning] = useState(false);
  const isGone = useRef(false);
  useUnmount(store, () => {
    isGone.current = true;
  });

  const rows = flatten(listed);
  const at = rows.findIndex(({ id }) => id === row.id);
  // The list turns its page a moment before the row is another: what has the focus stays there.
  if (!isTurning && (at < 0 || (isPaged ? total : rows.length) < 2)) return null;

  const find = async (step: 1 | -1): Promise<Row | undefined> => {
    const near = rows[at + step];
    if (near) return near;
    const { row: far, words } = await store.rowBeyond(step);
    if (words) toasts.error(say(words));
    return isGone.current ? undefined : far;
  };
  const mayTurn = (step: 1 | -1) => rows[at + step] !== undefined || store.hasPage(step);
  const turn = async (step: 1 | -1) => {
    if (isTurning || !mayTurn(step)) return;
    setTurning(true);
    await onTurn(() => find(step));
    setTurning(false);
  };
  const place = (isPaged ? (current - 1) * size : 0) + at + 1;
  const count = isPaged ? `${totalText(total, isExact)}${isExact ? '' : '+'}` : rows.length;
  return (
    <span className="crud-form__turner" aria-busy={isTurning}>
      <IconButton label={text('form.previous')} aria-disabled={!mayTurn(-1)} onClick={() => turn(-1)}>
        <IconLeft />
      </IconButton>
      <span aria-live="polite">{text('form.place', { place: place.toLocaleString('en'), count })}</span>
      <IconButton label={text('form.next')} aria-disabled={!mayTurn(1)} onClick={() => turn(1)}>
        <IconRight />
      </IconButton>
    </span>
  );
}
