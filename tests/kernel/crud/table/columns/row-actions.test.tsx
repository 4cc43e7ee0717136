import { expect, test } from '@rstest/core';
import { cleanup, render, screen } from '@testing-library/react';
import type { Row } from '../../../../../src/kernel/crud/model/crud-screen.ts';
import { type ActionLayout, actionsWidth, RowActions, type RowButton } from '../../../../../src/kernel/crud/table/columns/row-actions.tsx';

const button = (title: string, more: Partial<RowButton> = {}): RowButton => ({ key: title, title, onClick: () => {}, ...more });
const view: RowButton = { ...button('View'), key: 'view' };
const pausing = button('Pause', { isOffered: ({ enable }: Row) => enable === 1 });
const resuming = button('Resume', { isOffered: ({ enable }: Row) => enable === 0 });
const removing = button('Delete', { isDanger: true });
const off: Row = { id: '0', enable: 0 };
const on: Row = { id: '1', enable: 1 };
const [view16, pause16, resume16] = [4, 5, 6].map((letters) => 16 + 8 * letters) as [number, number, number];
const [padding, more] = [24, 30];

const layout = (availableWidth: number, changes: Partial<ActionLayout> = {}): ActionLayout => ({
  buttons: [view, pausing, resuming],
  availableWidth,
  isTitleOpening: false,
  ...changes,
});

/** Returns the names of the buttons in the cell of a row. */
function drawn(row: Row, laid: ActionLayout): string[] {
  cleanup();
  render(<RowActions {...laid} row={row} menuLabel={`Actions · ${row.id}`} onAction={() => {}} onMenu={() => {}} />);
  return screen.getAllByRole('button').map((found) => found.getAttribute('aria-label') ?? found.textContent);
}

test('the column of the actions fits the row with the widest ones, and is never narrower than its heading', () => {
  expect(actionsWidth([off, on], 'Actions', layout(400, { buttons: [button('Go')] }))).toBe(padding + 7 * 8);
  expect(actionsWidth([off, on], 'Actions', layout(400))).toBe(padding + view16 + resume16);
  expect(actionsWidth([on], 'Actions', layout(400))).toBe(padding + view16 + pause16);
});

test('at most two actions are shown, fewer where they do not fit; the others are in a menu', () => {
  expect(drawn(on, layout(400))).toEqual(['View', 'Pause']);
  expect(drawn(on, layout(400, { buttons: [view, pausing, removing] }))).toEqual(['View', 'Pause', 'Actions · 1']);
  expect(drawn(off, layout(padding + view16 + more))).toEqual(['View', 'Actions · 0']);
  expect(drawn(on, layout(0))).toEqual(['Actions · 1']);
});

test('no button opens a row whose title does', () => {
  expect(drawn(on, layout(400, { isTitleOpening: true, buttons: [view, pausing, removing] }))).toEqual(['Pause', 'Delete']);
});
