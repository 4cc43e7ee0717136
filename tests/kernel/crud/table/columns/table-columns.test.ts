import { expect, test } from '@rstest/core';
import { localize } from '#shared/text';
import { columnFields } from '../../../../../src/kernel/crud/model/entity-fields.ts';
import { widthOf } from '../../../../../src/kernel/crud/table/columns/table-columns.tsx';
import { Exhibit } from '../../../../gallery/contract.ts';

test('a column fits the longest of its options in either language', () => {
  const kind = columnFields(Exhibit).find(({ name }) => name === 'kind');
  if (!kind) throw new Error('no such field');
  expect(widthOf(kind, '类别', (words) => localize(words, 'zh'))).toBe(96);
  expect(widthOf(kind, 'Kind', (words) => localize(words, 'en'))).toBeGreaterThanOrEqual('Sculpture'.length * 8 + 42);
});
