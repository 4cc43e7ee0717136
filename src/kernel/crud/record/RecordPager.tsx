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
  readonly onNavigate: (find: FindRow) => Promise<void>;
  /** Section of the screen in which the keys J and K navigate; none for a form, in which the operator types. */
  readonly page?: RefObject<HTMLElement | null>;
}

const noPage: RefObject<null> = { current: null };

/** Goes to the previous or the next row of the list, across its pages; the list behind follows. */
export function RecordPager({ store, row, onNavigate, page }: RecordPagerProps) {
  const t = useTranslation();
  const toasts = useService(Toasts);
  const listed = useStore(store, (state) => state.rows);
  const { current, size } = useStore(store, (state) => state.query);
  const total = useStore(store, (state) => state.total);
  const isExact = useStore(store, (state) => state.totalExact);
  const isPaged = useStore(store, (state) => state.paged);
  const [isNavigating, setIsNavigating] = useState(false);
  const isUnmounted = useRef(false);
  useUnmount(store, () => {
    isUnmounted.current = true;
  });

  const rows = flatten(listed);
  const index = rows.findIndex(({ id }) => id === row.id);
  const find = async (step: 1 | -1): Promise<Row | undefined> => {
    const neighbour = rows[index + step];
    if (neighbour) return neighbour;
    const { row: adjacentRow, localizedMessage } = await store.adjacentRow(step);
    if (localizedMessage) toasts.error(t(localizedMessage));
    return isUnmounted.current ? undefined : adjacentRow;
  };
  const canNavigate = (step: 1 | -1) => rows[index + step] !== undefined || store.hasPage(step);
  const navigate = async (step: 1 | -1) => {
    if (isNavigating || index < 0 || !canNavigate(step)) return;
    setIsNavigating(true);
    await onNavigate(() => find(step));
    setIsNavigating(false);
  };
  useShortcuts(page ?? noPage, page ? { j: () => void navigate(1), k: () => void navigate(-1) } : {});
  // The list changes its page a moment before the row changes; the focused button must stay meanwhile.
  if (!isNavigating && (index < 0 || (isPaged ? total : rows.length) < 2)) return null;

  const position = (isPaged ? (current - 1) * size : 0) + index + 1;
  const count = isPaged ? `${totalText(total, isExact)}${isExact ? '' : '+'}` : rows.length;
  return (
    <span className="crud-form__turner" aria-busy={isNavigating}>
      <IconButton label={t('form.previous')} aria-disabled={!canNavigate(-1)} onClick={() => navigate(-1)}>
        <IconLeft />
      </IconButton>
      <span aria-live="polite">{t('form.position', { position: position.toLocaleString('en'), count })}</span>
      <IconButton label={t('form.next')} aria-disabled={!canNavigate(1)} onClick={() => navigate(1)}>
        <IconRight />
      </IconButton>
    </span>
  );
}
