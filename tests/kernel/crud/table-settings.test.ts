import { beforeEach, expect, test } from '@rstest/core';
import { keepTableSettings, readTableSettings } from '../../../src/kernel/crud/table-settings.ts';
import { JsonStorage } from '../../../src/kernel/storage.ts';

const storage = new JsonStorage(localStorage, 'test-');
const preset = { density: 'middle', hidden: ['remark'] } as const;

beforeEach(() => localStorage.clear());

test('what was kept is read again', () => {
  keepTableSettings(storage, 'table', { density: 'small', hidden: ['paramKey'] });
  expect(readTableSettings(storage, 'table', preset)).toEqual({ density: 'small', hidden: ['paramKey'] });
});

test('another version, nonsense and nothing at all give the page its own settings', () => {
  expect(readTableSettings(storage, 'table', preset)).toEqual(preset);
  storage.write('table', { version: 99, density: 'small', hidden: [] });
  expect(readTableSettings(storage, 'table', preset)).toEqual(preset);
  localStorage.setItem('test-table', '{broken');
  expect(readTableSettings(storage, 'table', preset)).toEqual(preset);
  storage.write('table', { version: 1, density: 'huge', hidden: [1, 'paramKey'] });
  expect(readTableSettings(storage, 'table', preset)).toEqual({ density: 'middle', hidden: ['paramKey'] });
});
