import { expect, test } from '@rstest/core';
import type { Subscription } from 'rxjs';
import { dict, dictBiz } from '#plugins/dictionary/contract';
import { businessCode } from '#shared/rich-fields';
import { MittBus } from '../../../../src/kernel/base/bus/mitt-bus.ts';
import { RowsChanged } from '../../../../src/kernel/crud/model/rows-changed.ts';
import { Dictionaries, type DictionaryEntry } from '../../../../src/kernel/platform/dictionaries/dictionaries.ts';
import { Locale } from '../../../../src/kernel/platform/i18n/locale.ts';
import plugin from '../../../../src/plugins/dictionary/console/plugin.ts';
import { answer } from '../../../support/scripted-transport.ts';
import { testKernel } from '../../../support/test-kernel.ts';

const row = (dictKey: string, dictValue: string) => ({ id: dictKey, parentId: '1', code: 'sex', dictKey, dictValue, sort: 1, isSealed: 0, remark: null });
const later = () => new Promise((resolve) => setTimeout(resolve, 20));

async function begin() {
  const kernel = await testKernel({ plugins: [plugin], answers: [answer(dict.dictionary, [row('1', '男'), row('2', '女')] as never)] });
  const heard: (readonly DictionaryEntry[])[] = [];
  const follow = (): Subscription =>
    kernel
      .get(Dictionaries)
      .entries$('sex')
      .subscribe((entries) => heard.push(entries));
  const asked = () => kernel.transport.requests.filter(({ path }) => path === dict.dictionary.path).length;
  return { kernel, heard, follow, asked };
}

test('entries are loaded once for all components that show them', async () => {
  const { heard, follow, asked } = await begin();
  const followings = [follow(), follow()];
  await later();
  expect(heard).toEqual(
    Array(2).fill([
      { key: '1', title: '男' },
      { key: '2', title: '女' },
    ]),
  );
  expect(asked()).toBe(1);
  for (const following of followings) following.unsubscribe();
});

test('entries have their English names in English, or their only one', async () => {
  const rows = [
    { ...row('1', '男'), dictValueEn: 'Male' },
    { ...row('2', '女性'), dictValueEn: null },
  ];
  const kernel = await testKernel({ plugins: [plugin], answers: [answer(dict.dictionary, rows as never)] });
  const titles: string[][] = [];
  const following = kernel
    .get(Dictionaries)
    .entries$('sex')
    .subscribe((entries) => titles.push(entries.map(({ title }) => title)));
  await later();
  kernel.get(Locale).setLanguage('en');
  await later();
  expect(titles).toEqual([
    ['男', '女性'],
    ['Male', '女性'],
  ]);
  following.unsubscribe();
});

test('they are read again when a dictionary has changed and in another language, and none are left once the plugin has stopped', async () => {
  const { kernel, heard, follow, asked } = await begin();
  const following = follow();
  await later();
  kernel.get(MittBus).emit(RowsChanged, { entity: 'param' });
  kernel.get(MittBus).emit(RowsChanged, { entity: 'dict' });
  await later();
  expect(asked()).toBe(2);
  kernel.get(Locale).setLanguage('en');
  await later();
  await later();
  expect(asked()).toBe(3);
  kernel.dispose();
  expect(heard.at(-1)).toEqual([]);
  following.unsubscribe();
});

test('a business dictionary is read by its own call, its colours with it', async () => {
  const coloured = { ...row('1', '电视'), tone: 'good' };
  const kernel = await testKernel({ plugins: [plugin], answers: [answer(dictBiz.dictionary, [coloured] as never)] });
  const heard: (readonly DictionaryEntry[])[] = [];
  const following = kernel
    .get(Dictionaries)
    .entries$(businessCode('channel'))
    .subscribe((entries) => heard.push(entries));
  await later();
  expect(heard).toEqual([[{ key: '1', title: '电视', tone: 'good' }]]);
  expect(kernel.transport.requests.find(({ path }) => path === dictBiz.dictionary.path)).toMatchObject({ query: { code: 'channel' } });
  following.unsubscribe();
});
