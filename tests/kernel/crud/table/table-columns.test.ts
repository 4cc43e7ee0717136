import { expect, test } from '@rstest/core';
import { say } from '#shared/text';
import type { Row } from '../../../../src/kernel/crud/crud-screen.ts';
import { columnFields } from '../../../../src/kernel/crud/entity-fields.ts';
import { actionColumn, buttonsWidth, widthOf } from '../../../../src/kernel/crud/table/table-columns.tsx';
import { Exhibit } from '../../../gallery/contract.ts';

test('a column has room for the longest of its options, in either language', () => {
  const kind = columnFields(Exhibit).find(({ name }) => name === 'kind');
  if (!kind) throw new Error('no such field');
  expect(widthOf(kind, '类别', (words) => say(words, 'zh'))).toBe(96);
  expect(widthOf(kind, 'Kind', (words) => say(words, 'en'))).toBeGreaterThanOrEqual('Sculpture'.length * 8 + 42);
});

test('the column of a row’s buttons is as wide as those of the row that has most, and never narrower than its heading', () => {
  const view = { key: 'view', title: 'View', onClick: () => {} };
  const column = (needed: number, isRoomy: boolean) => actionColumn({ buttons: [view], title: 'Actions', needed, isRoomy, menuOf: () => '' }).width;
  expect([column(20, true), column(400, true), column(400, false)]).toEqual([32 + 7 * 8, 400, 32 + 7 * 8]);
  const pausing = { ...view, title: 'Pause', isOffered: ({ enable }: Row) => enable === 1 };
  const resuming = { ...view, title: 'Resume', isOffered: ({ enable }: Row) => enable === 0 };
  const rows = [0, 1].map((enable) => ({ id: String(enable), enable }));
  const [view20, pause20, resume20] = [4, 5, 6].map((letters) => 20 + 8 * letters) as [number, number, number];
  expect(buttonsWidth([view, pausing, resuming], rows)).toBe(24 + view20 + resume20);
  expect(buttonsWidth([view, pausing, resuming], rows.slice(1))).toBe(24 + view20 + pause20);
  expect(buttonsWidth([view, pausing, resuming], [])).toBe(24 + view20 + pause20 + resume20);
});
