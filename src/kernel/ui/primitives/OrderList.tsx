import { Button } from '@arco-design/web-react';
import { IconDown, IconDragDotVertical, IconUp } from '@arco-design/web-react/icon';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { useTransportErrorToast } from '../../platform/http/use-mutation.ts';
import type { QueryState } from '../../platform/http/use-query.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import styles from './OrderList.module.css';

interface OrderListProps<Row extends { readonly id: string }> {
  readonly rows: readonly Row[];
  readonly nameOf: (row: Row) => string;
  /** Renders the icon before a name. */
  readonly iconOf?: (row: Row) => ReactNode;
  /** Called after a move with all rows in their new order, which the caller shows and saves. */
  readonly onOrder: (rows: readonly Row[]) => void;
}

/** Renders rows that can be reordered: dragged, or moved one step by a key or a click. A live region announces each move to screen readers. */
export function OrderList<Row extends { readonly id: string }>({ rows, nameOf, iconOf, onOrder }: OrderListProps<Row>) {
  const t = useTranslation();
  const [dragged, setDragged] = useState<number>();
  const [announcement, setAnnouncement] = useState('');
  const movedItem = useRef<HTMLLIElement>(null);
  // A button is disabled in the first or last row and would lose the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the item is in its place once the rows have changed
  useLayoutEffect(() => {
    const item = movedItem.current;
    movedItem.current = null;
    if (item && !item.querySelector('button:focus:not(:disabled)')) item.querySelector<HTMLElement>('button:not(:disabled)')?.focus();
  }, [rows]);
  const moveByButton = (event: Event, from: number, to: number) => {
    movedItem.current = (event.currentTarget as Element).closest('li');
    move(from, to);
  };
  const move = (from: number, to: number) => {
    const row = rows[from];
    if (!row || from === to) return;
    const others = rows.filter((_, index) => index !== from);
    setAnnouncement(t('order.moved', { title: nameOf(row), position: to + 1, count: rows.length }));
    onOrder([...others.slice(0, to), row, ...others.slice(to)]);
  };
  return (
    <>
      <ol className={styles.order}>
        {rows.map((row, index) => (
          <li
            key={row.id}
            className={index === dragged ? styles.lifted : styles.line}
            draggable
            onDragStart={() => setDragged(index)}
            onDragEnd={() => setDragged(undefined)}
            onDragOver={(event) => event.preventDefault()}
            onDrop={() => {
              if (dragged !== undefined) move(dragged, index);
              setDragged(undefined);
            }}
          >
            <IconDragDotVertical className={styles.grip ?? ''} aria-hidden="true" />
            {iconOf?.(row)}
            <span className={styles.name}>{nameOf(row)}</span>
            <Button
              aria-label={t('order.up', { title: nameOf(row) })}
              icon={<IconUp />}
              disabled={index === 0}
              onClick={(event) => moveByButton(event, index, index - 1)}
            />
            <Button
              aria-label={t('order.down', { title: nameOf(row) })}
              icon={<IconDown />}
              disabled={index === rows.length - 1}
              onClick={(event) => moveByButton(event, index, index + 1)}
            />
          </li>
        ))}
      </ol>
      <p role="status" className="visually-hidden">
        {announcement}
      </p>
    </>
  );
}

/**
 * Shows the rows of a query in the order that was passed to `order` while `save` stores it, one order after the other; orders that a later one replaces are skipped.
 * If saving fails, the rows are loaded again.
 */
export function useOrder<Row>({ data, refetch }: Pick<QueryState<readonly Row[]>, 'data' | 'refetch'>, save: (rows: readonly Row[]) => Promise<boolean>) {
  const [moved, setMoved] = useState<{ readonly from: typeof data; readonly rows: readonly Row[] }>();
  const pending = useRef<(() => Promise<boolean>) | undefined>(undefined);
  const isSaving = useRef(false);
  const showError = useTransportErrorToast();
  const order = async (rows: readonly Row[]) => {
    setMoved({ from: data, rows });
    pending.current = () => save(rows);
    if (isSaving.current) return;
    isSaving.current = true;
    let isSaved: boolean | undefined = false;
    try {
      while (pending.current) {
        const next = pending.current;
        pending.current = undefined;
        isSaved = await next().catch(showError);
      }
    } finally {
      isSaving.current = false;
      if (!isSaved) refetch();
    }
  };
  return { rows: moved && moved.from === data ? moved.rows : data, order };
}
