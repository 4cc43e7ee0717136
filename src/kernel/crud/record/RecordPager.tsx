import { IconLeft, IconRight } from '@arco-design/web-react/icon';
import { type RefObject, useRef, useState } from 'react';
import { useService } from '../../base/react/services.tsx';
import { useStore } from '../../base/react/use-store.ts';
import { useUnmount } from '../../base/react/use-unmount.ts';
import { Toasts } from '../../platform/feedback/toasts.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { IconButton } from '../../ui/primitives/IconButton.tsx';
import { totalText } from '../model/cell-text.ts';
import type { Row } from '../model/crud-screen.ts';
import type { CrudStore } from '../model/crud-store.ts';
import { flatten } from '../model/entity-fields.ts';
import { useShortcuts } from '../model/use-shortcuts.ts';

/** Resolves with the row to show; `undefined` when it could not be loaded. */
export type FindRow = () => Promise<Row | undefined>;

interface RecordPagerProps {
  readonly store: CrudStore;
  readonly row: Row;
  /** Shows the row once that is allowed: unsaved changes may need confirmation first. */
  readonly onTurn: (find: FindRow) => Promise<void>;
  /** Section of the screen in which the keys J and K turn; none for a form, in which the operator types. */
  readonly page?: RefObject<HTMLElement | null>;
}

const nowhere: RefObject<null> = { current: null };

/** Goes to the previous or the next row of the list, across its pages; the list behind follows. */
export function RecordPager({ store, row, onTurn, page }: RecordPagerProps) {
  const t = useTranslation();
  const toasts = useService(Toasts);
  const listed = useStore(store, (state) => state.rows);
  const { current, size } = useStore(store, (state) => state.query);
  const total = useStore(store, (state) => state.total);
  const isExact = useStore(store, (state) => state.totalExact);
  const isPaged = useStore(store, (state) => state.paged);
  const [isTurning, setIsTurning] = useState(false);
  const isGone = useRef(false);
  useUnmount(store, () => {
    isGone.current = true;
  });

  const rows = flatten(listed);
  const at = rows.findIndex(({ id }) => id === row.id);
  const find = async (step: 1 | -1): Promise<Row | undefined> => {
    const near = rows[at + step];
    if (near) return near;
    const { row: far, localizedMessage } = await store.adjacentRow(step);
    if (localizedMessage) toasts.error(t(localizedMessage));
    return isGone.current ? undefined : far;
  };
  const mayTurn = (step: 1 | -1) => rows[at + step] !== undefined || store.hasPage(step);
  const turn = async (step: 1 | -1) => {
    if (isTurning || at < 0 || !mayTurn(step)) return;
    setIsTurning(true);
    await onTurn(() => find(step));
    setIsTurning(false);
  };
  useShortcuts(page ?? nowhere, page ? { j: () => void turn(1), k: () => void turn(-1) } : {});
  // The list changes its page a moment before the row changes; the focused button must stay meanwhile.
  if (!isTurning && (at < 0 || (isPaged ? total : rows.length) < 2)) return null;

  const position = (isPaged ? (current - 1) * size : 0) + at + 1;
  const count = isPaged ? `${totalText(total, isExact)}${isExact ? '' : '+'}` : rows.length;
  return (
    <span className="crud-form__turner" aria-busy={isTurning}>
      <IconButton label={t('form.previous')} aria-disabled={!mayTurn(-1)} onClick={() => turn(-1)}>
        <IconLeft />
      </IconButton>
      <span aria-live="polite">{t('form.place', { place: position.toLocaleString('en'), count })}</span>
      <IconButton label={t('form.next')} aria-disabled={!mayTurn(1)} onClick={() => turn(1)}>
        <IconRight />
      </IconButton>
    </span>
  );
}
