import { expect, test } from '@rstest/core';
import * as Type from 'typebox';
import { get, NoInput } from '#shared/contract';
import type { Language } from '#shared/text';
import { ParentTrees } from '../../../../src/kernel/crud/model/parent-trees.ts';
import { ScriptedHttp } from '../../../support/scripted-http.ts';

const call = get('/role/tree', { title: ['角色树', 'Role tree'], access: 'signedIn', input: NoInput, reply: Type.Array(Type.Object({})) });
const answered = () => new Promise((resolve) => setTimeout(resolve));

test('a tree is read once, and again in another language', async () => {
  const locale: { language: Language } = { language: 'zh' };
  const http = new ScriptedHttp({ '/role/tree': () => [{ value: '1', title: locale.language === 'zh' ? '管理员' : 'Administrator' }] });
  const trees = new ParentTrees(http, locale);
  const load = async () => {
    trees.load('parentId', { call });
    await answered();
  };
  await load();
  await load();
  expect(http.sent).toHaveLength(1);
  locale.language = 'en';
  await load();
  expect(http.sent).toHaveLength(2);
  expect(trees.state.parentId?.titles).toEqual({ '1': 'Administrator' });
  trees.lifetime.unsubscribe();
});
