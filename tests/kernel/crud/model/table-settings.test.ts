import { expect, test } from '@rstest/core';
import { mergedSettings, moveColumn, shownColumns, type TableSettings, withColumn } from '../../../../src/kernel/crud/model/table-settings.ts';

const preset: TableSettings = { density: 'middle', columns: [{ name: 'a' }, { name: 'b', hidden: true }, { name: 'c' }, { name: 'd' }] };
const names = (settings: TableSettings) => settings.columns.map(({ name }) => name);

test('stored settings are restored; invalid or missing ones give the defaults of the page', () => {
  const kept = { density: 'small', columns: [{ name: 'd', pin: 'left' }, { name: 'a', width: 200 }, { name: 'b' }, { name: 'c', hidden: true }] };
  expect(mergedSettings(kept, preset)).toEqual(kept);
  for (const nonsense of [undefined, null, 1, 'text', {}, { columns: 'none' }, { columns: [null, 7] }])
    expect(mergedSettings(nonsense, preset)).toEqual(preset);
});

test('new columns are placed by the page, and removed ones are dropped', () => {
  const kept = { density: 'default', columns: [{ name: 'd' }, { name: 'gone' }, { name: 'b' }] };
  expect(names(mergedSettings(kept, preset))).toEqual(['a', 'd', 'b', 'c']);
  expect(names(mergedSettings({ columns: [{ name: 'c' }, { name: 'c' }, { name: 'a' }, { name: 'b' }, { name: 'd' }] }, preset))).toEqual(['c', 'a', 'b', 'd']);
});

test('invalid values of a column are ignored', () => {
  const kept = {
    density: 'huge',
    columns: [{ name: 'a', width: 9e9, pin: 'middle', hidden: 'yes' }, { name: 'b', width: 'wide' }, { name: 'c' }, { name: 'd' }],
  };
  expect(mergedSettings(kept, preset)).toEqual({ density: 'middle', columns: [{ name: 'a', width: 1200 }, { name: 'b' }, { name: 'c' }, { name: 'd' }] });
});

test('pinned columns are at their edge, and hidden ones are not rendered', () => {
  const settings = withColumn(withColumn(preset, 'a', { pin: 'right' }), 'd', { pin: 'left' });
  expect(shownColumns(settings).map(({ name }) => name)).toEqual(['d', 'c', 'a']);
});

test('a column moves to another index within its group', () => {
  expect(names(moveColumn(preset, 'a', 2))).toEqual(['b', 'c', 'a', 'd']);
  expect(moveColumn(preset, 'a', -1)).toBe(preset);
  expect(moveColumn(preset, 'd', 4)).toBe(preset);
});
