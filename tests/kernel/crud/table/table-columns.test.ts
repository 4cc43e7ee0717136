import { expect, test } from '@rstest/core';
import { say } from '#shared/text';
import { columnFields } from '../../../../src/kernel/crud/entity-fields.ts';
import { actionColumn, buttonsWidth, widthOf } from '../../../../src/kernel/crud/table/table-columns.tsx';
import { Exhibit } from '../../../gallery/contract.ts';

test('a column has room for the longest of its options, in either language', () => {
  const kind = columnFields(Exhibit).find(({ name }) => name === 'kind');
  if (!kind) throw new Error('no such field');
  expect(widthOf(kind, '类别', (words) => say(words, 'zh'))).toBe(96);
  expect(widthOf(kind, 'Kind', (words) => say(words, 'en'))).toBeGreaterThanOrEqual('Sculpture'.length * 8 + 42);
});

test('the column of a row’s buttons is as wide as they are, and never narrower than its heading', () => {
  const view = { key: 'view', title: 'View', onClick: () => {} };
  const column = (buttons: (typeof view)[], isRoomy: boolean) => actionColumn({ buttons, title: 'Actions', isRoomy, menuOf: () => '' });
  expect(column([view], true).width).toBe(32 + 7 * 8);
  const many = ['View', 'Edit', 'Assign roles', 'Delete'].map((title) => ({ ...view, key: title, title }));
  expect(column(many, true).width).toBe(buttonsWidth(many));
  expect(column(many, false).width).toBe(32 + 7 * 8);
});
