import { expect, test } from '@rstest/core';
import { cleanup, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import type { Row } from '../../../../../src/kernel/crud/model/crud-screen.ts';
import { actionColumn, type RowButton } from '../../../../../src/kernel/crud/table/columns/row-buttons.tsx';

const button = (title: string, more: Partial<RowButton> = {}): RowButton => ({ key: title, title, onClick: () => {}, ...more });
const view = button('View');
const pausing = button('Pause', { isOffered: ({ enable }: Row) => enable === 1 });
const resuming = button('Resume', { isOffered: ({ enable }: Row) => enable === 0 });
const off: Row = { id: '0', enable: 0 };
const on: Row = { id: '1', enable: 1 };
const rows = [off, on];
const [view20, pause20, resume20] = [4, 5, 6].map((letters) => 20 + 8 * letters) as [number, number, number];

const column = (of: readonly Row[], room: number, buttons: readonly RowButton[] = [view, pausing, resuming]) =>
  actionColumn({ buttons, rows: of, title: 'Actions', availableWidth: room, menuLabelOf: ({ id }) => `Actions · ${id}` });

/** Returns the names of the buttons in the cell of a row. */
function drawn(row: Row, room: number): string[] {
  cleanup();
  render(column(rows, room).render?.(undefined, row, 0) as ReactNode);
  return screen.getAllByRole('button').map((found) => found.getAttribute('aria-label') ?? found.textContent);
}

test('the column of row buttons fits the row with the most buttons, and is never narrower than its heading', () => {
  expect(column(rows, 400, [button('Go')]).width).toBe(32 + 7 * 8);
  expect(column(rows, 400).width).toBe(24 + view20 + resume20);
  expect(column([on], 400).width).toBe(24 + view20 + pause20);
  expect(column([], 400).width).toBe(24 + view20 + pause20 + resume20);
});

test('buttons that do not fit are in a menu, the last ones first', () => {
  const room = 24 + view20 + pause20;
  expect(drawn(on, room)).toEqual(['View', 'Pause']);
  expect(drawn(off, room)).toEqual(['View', 'Actions · 0']);
  expect(column(rows, room).width).toBe(room);
  expect(drawn(on, 0)).toEqual(['Actions · 1']);
});
