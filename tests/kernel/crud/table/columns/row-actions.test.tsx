import { expect, test } from '@rstest/core';
import { cleanup, render, screen } from '@testing-library/react';
import type { Row } from '../../../../../src/kernel/crud/model/crud-screen.ts';
import { type ActionLayout, actionsWidth, RowActions, type RowButton } from '../../../../../src/kernel/crud/table/columns/row-actions.tsx';

const button = (title: string, more: Partial<RowButton> = {}): RowButton => ({ key: title, title, onClick: () => {}, ...more });
const view: RowButton = { ...button('View'), key: 'view' };
const pause = button('Pause', { isOffered: ({ enable }: Row) => enable === 1 });
const resume = button('Resume', { isOffered: ({ enable }: Row) => enable === 0 });
const remove = button('Delete', { isDanger: true });
const paused: Row = { id: '0', enable: 0 };
const running: Row = { id: '1', enable: 1 };
/** Width of a button without layout: 16 pixels of padding and 8 for each letter. */
const buttonWidth = ({ title }: RowButton) => 16 + 8 * (title as string).length;
const [cellPadding, menuButtonWidth] = [24, 30];

const layout = (availableWidth: number, changes: Partial<ActionLayout> = {}): ActionLayout => ({
  buttons: [view, pause, resume],
  availableWidth,
  titleOpensRecord: false,
  ...changes,
});

/** Returns the names of the buttons in the cell of a row. */
function buttonNames(row: Row, actionLayout: ActionLayout): string[] {
  cleanup();
  render(<RowActions {...actionLayout} row={row} menuLabel={`Actions · ${row.id}`} onAction={() => {}} onMenu={() => {}} />);
  return screen.getAllByRole('button').map((found) => found.getAttribute('aria-label') ?? found.textContent);
}

test('the actions column is as wide as the row with the widest actions needs, and never narrower than its heading', () => {
  expect(actionsWidth([paused, running], 'Actions', layout(400, { buttons: [button('Go')] }))).toBe(cellPadding + 8 * 'Actions'.length);
  expect(actionsWidth([paused, running], 'Actions', layout(400))).toBe(cellPadding + buttonWidth(view) + buttonWidth(resume));
  expect(actionsWidth([running], 'Actions', layout(400))).toBe(cellPadding + buttonWidth(view) + buttonWidth(pause));
});

test('at most two actions are shown, fewer where they do not fit; the others are in a menu', () => {
  expect(buttonNames(running, layout(400))).toEqual(['View', 'Pause']);
  expect(buttonNames(running, layout(400, { buttons: [view, pause, remove] }))).toEqual(['View', 'Pause', 'Actions · 1']);
  expect(buttonNames(paused, layout(cellPadding + buttonWidth(view) + menuButtonWidth))).toEqual(['View', 'Actions · 0']);
  expect(buttonNames(running, layout(0))).toEqual(['Actions · 1']);
});

test('a row that its title opens has no View button', () => {
  expect(buttonNames(running, layout(400, { titleOpensRecord: true, buttons: [view, pause, remove] }))).toEqual(['Pause', 'Delete']);
});
