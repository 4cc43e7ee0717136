import { expect, test } from '@rstest/core';
import { entity } from '#shared/contract';
import { Id, Image, Nullable } from '#shared/fields';
import { localize } from '#shared/text';
import { columnFields, formatValue, type ScreenField } from '../../../../../src/kernel/crud/model/entity-fields.ts';
import { contentWidth, fitWidths } from '../../../../../src/kernel/crud/table/columns/column-widths.ts';
import { Exhibit } from '../../../../gallery/contract.ts';

const field = (name: string): ScreenField => {
  const found = columnFields(Exhibit).find((one) => one.name === name);
  if (!found) throw new Error(`no field ${name}`);
  return found;
};

const widthIn = (language: 'zh' | 'en', name: string, rows: readonly Record<string, unknown>[]) => {
  const t = (text: Parameters<typeof localize>[0]) => localize(text, language);
  const measured = { field: field(name), title: t(field(name).traits.title), isSortable: false, t };
  return contentWidth(measured, rows as never, (of, row) => formatValue(of, row[of.name], t));
};

test('a column is as wide as its widest value, at least its heading and at most its limit', () => {
  const narrow = widthIn('zh', 'name', [{ name: '甲' }]);
  const long = widthIn('zh', 'name', [{ name: '甲' }, { name: '一二三四五六七八' }]);
  expect(long - narrow).toBeGreaterThanOrEqual(6 * 14);
  expect(widthIn('zh', 'name', [{ name: '长'.repeat(200) }])).toBeLessThanOrEqual(320);
});

test('a column fits the longest of its options in either language', () => {
  expect(widthIn('en', 'kind', [])).toBeGreaterThanOrEqual('Sculpture'.length * 8 + 24);
});

test('a column without a value in any row takes the width of its heading', () => {
  const [photo] = columnFields(entity('picture', { id: Id(), photo: Nullable(Image({ title: ['图', 'P'] })) }));
  if (!photo) throw new Error('no field photo');
  const t = (text: Parameters<typeof localize>[0]) => localize(text, 'zh');
  const widthOf = (rows: readonly Record<string, unknown>[]) => contentWidth({ field: photo, title: '图', isSortable: false, t }, rows as never, () => '');
  expect(widthOf([{ photo: null }, { photo: '' }])).toBeLessThan(widthOf([{ photo: null }, { photo: 'a.png' }]));
  expect(widthOf([])).toBe(widthOf([{ photo: 'a.png' }]));
});

test('room that is left goes to the growing columns first', () => {
  const columns = [
    { key: 'name', width: 100, isGrowing: true, narrowest: 100 },
    { key: 'count', width: 100, isGrowing: false, narrowest: 100 },
  ];
  expect(fitWidths(columns, 250)).toEqual([150, 100]);
  expect(fitWidths(columns, 600)).toEqual([400, 200]);
  expect(fitWidths(columns, 100)).toEqual([100, 100]);
});

test('where the columns do not fit, long texts shrink in the same part, down to their narrowest width', () => {
  const columns = [
    { key: 'name', width: 300, isGrowing: true, narrowest: 180 },
    { key: 'owner', width: 200, isGrowing: true, narrowest: 140 },
    { key: 'count', width: 100, isGrowing: false, narrowest: 100 },
  ];
  expect(fitWidths(columns, 510)).toEqual([240, 170, 100]);
  expect(fitWidths(columns, 300)).toEqual([180, 140, 100]);
});

test('a number or a time at the edge is seen as a whole or not at all', () => {
  const columns = [
    { key: 'name', width: 200, isGrowing: true, narrowest: 100 },
    { key: 'time', width: 150, isGrowing: false, narrowest: 150 },
    { key: 'price', width: 80, isGrowing: false, narrowest: 80 },
  ];
  expect(fitWidths(columns, 300)).toEqual([150, 150, 80]);
  expect(fitWidths(columns, 240)).toEqual([240, 150, 80]);
});
