import { Button } from '@arco-design/web-react';
import { IconDown, IconDragDotVertical, IconUp } from '@arco-design/web-react/icon';
import { type ReactNode, useState } from 'react';
import { useText } from '../i18n/use-words.ts';
import styles from './OrderList.module.css';

interface OrderListProps<Row extends { readonly id: string }> {
  readonly rows: readonly Row[];
  readonly nameOf: (row: Row) => string;
  /** What stands before a name. */
  readonly pictureOf?: (row: Row) => ReactNode;
  /** A row was moved: all of them in their new order, which is to be shown and kept. */
  readonly onOrder: (rows: readonly Row[]) => void;
}

/** Rows that are put in order: dragged, or moved a place by a key or a click. Each move is told to those who cannot see it. */
export function OrderList<Row extends { readonly id: string }>({ rows, nameOf, pictureOf, onOrder }: OrderListProps<Row>) {
  const text = useText();
  const [dragged, drag] = useState<number>();
  const [said, tell] = useState('');
  const move = (from: number, to: number) => {
    const row = rows[from];
    if (!row || from === to) return;
    const others = rows.filter((_, place) => place !== from);
    tell(text('order.moved', { title: nameOf(row), place: to + 1, count: rows.length }));
    onOrder([...others.slice(0, to), row, ...others.slice(to)]);
  };
  return (
    <>
      <ol className={styles.order}>
        {rows.map((row, place) => (
          <li
            key={row.id}
            className={place === dragged ? styles.lifted : styles.line}
            draggable
            onDragStart={() => drag(place)}
            onDragEnd={() => drag(undefined)}
            onDragOver={(event) => event.preventDefault()}
            onDrop={() => {
              if (dragged !== undefined) move(dragged, place);
              drag(undefined);
            }}
          >
            <IconDragDotVertical className={styles.grip ?? ''} aria-hidden="true" />
            {pictureOf?.(row)}
            <span className={styles.name}>{nameOf(row)}</span>
            <Button aria-label={text('order.up', { title: nameOf(row) })} icon={<IconUp />} disabled={place === 0} onClick={() => move(place, place - 1)} />
            <Button
              aria-label={text('order.down', { title: nameOf(row) })}
              icon={<IconDown />}
              disabled={place === rows.length - 1}
              onClick={() => move(place, place + 1)}
            />
          </li>
        ))}
      </ol>
      <p role="status" className="visually-hidden">
        {said}
      </p>
    </>
  );
}
