import { afterEach, beforeEach, expect, test } from '@rstest/core';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { dict, dictBiz, dictProblems } from '#plugins/dictionary/contract';
import { dictBizMenu, dictMenu } from '#plugins/dictionary/menus';
import DictBizPage from '../../../../src/plugins/dictionary/console/DictBizPage.tsx';
import DictPage from '../../../../src/plugins/dictionary/console/DictPage.tsx';
import plugin from '../../../../src/plugins/dictionary/console/plugin.ts';
import { type ScreenOptions, showPage } from '../../../support/crud-screen.tsx';
import { Refused } from '../../../support/scripted-http.ts';

const audit = { createUser: null, createDept: null, createTime: '2026-01-01 00:00:00', updateUser: null, updateTime: null, status: 1, isDeleted: 0 } as const;
const row = (id: string, parentId: string, dictKey: string, dictValue: string) =>
  ({ id, parentId, code: 'sex', dictKey, dictValue, sort: 1, isSealed: 0, remark: null, tone: null, ...audit }) as const;
const sex = row('1', '0', '-1', '性别');
const [male, boy, female] = [row('11', '1', '1', '男'), row('111', '11', '11', '男孩'), row('12', '1', '2', '女')];
const node = ({ id, parentId, dictValue }: typeof male | typeof sex) => ({ id, parentId, title: dictValue, value: id, key: id });

const answers: ScreenOptions['answers'] = {
  [dict.parentList.path]: () => ({ records: [sex], total: 1, totalExact: true, size: 10, current: 1, pages: 1 }),
  [dict.childList.path]: () => [{ ...male, children: [boy] }, female],
  [dict.tree.path]: () => [{ ...node(sex), children: [{ ...node(male), children: [node(boy)] }, node(female)] }],
  [dict.detail.path]: ({ id }) => [sex, male, boy, female].find((known) => known.id === id),
  [dict.submit.path]: () => sex,
  [dict.remove.path]: () => null,
};

interface Opening {
  readonly verbs?: readonly string[];
  readonly more?: typeof answers;
}

/** Opens the page in front of a scripted server, for a user with these buttons. */
async function open({ verbs = ['add', 'edit', 'delete', 'view'], more = {} }: Opening = {}) {
  const page = await showPage(<DictPage />, { answers: { ...answers, ...more }, codes: ['dict', ...verbs.map((verb) => `dict_${verb}`)] });
  /** Clicks the button that opens the form and waits for the form. */
  const openForm = async (button: HTMLElement) => {
    await page.press(button);
    await screen.findByRole('button', { name: '保存' });
    await page.settle();
  };
  return { ...page, openForm, sent: page.inputs };
}

/** Opens the page with the entries of the first dictionary. */
async function configure(opening?: Opening) {
  const page = await open(opening);
  await page.press(screen.getByRole('button', { name: '字典配置' }));
  const drawer = within(await screen.findByRole('dialog', { name: '字典配置：性别' }));
  await page.settle();
  return { ...page, drawer };
}

const form = () => within(document.querySelector('.crud-dialog') as HTMLElement);
const headings = (table: HTMLElement) =>
  within(table)
    .getAllByRole('columnheader')
    .map(({ textContent }) => textContent)
    .filter(Boolean);

beforeEach(() => localStorage.clear());
afterEach(cleanup);

test('the plugin answers to the menus of system and of business dictionaries with their pages', async () => {
  expect(plugin.pages?.map(({ menu }) => menu)).toEqual([dictMenu, dictBizMenu]);
  expect((await plugin.pages?.[0]?.load())?.default).toBe(DictPage);
  expect((await plugin.pages?.[1]?.load())?.default).toBe(DictBizPage);
});

test('the table shows dictionaries; keys and parents are the entries’ own', async () => {
  await open();
  expect(headings(screen.getByRole('table', { name: '系统字典' }))).toEqual(['字典编号', '字典名称', '字典排序', '封存', '字典备注', '操作']);
  expect(screen.getByRole('row', { name: /性别/ })).toBeTruthy();
});

test('a dictionary is added by code, name, order and seal, each of them required', async () => {
  const { press, openForm, user, sent } = await open();
  await openForm(screen.getByRole('button', { name: '新增' }));
  expect(form().queryByLabelText('字典键值')).toBeNull();
  await press(form().getByRole('button', { name: '保存' }));
  for (const words of ['请输入字典编号', '请输入字典名称', '请输入字典排序']) expect(form().getByText(words)).toBeTruthy();
  expect(form().getByRole<HTMLInputElement>('radio', { name: '否' }).checked).toBe(true);
  await user.type(form().getByLabelText('字典编号'), 'colour');
  await user.type(form().getByLabelText('字典名称'), '颜色');
  await user.type(form().getByLabelText('字典排序'), '3');
  await press(form().getByRole('button', { name: '保存' }));
  expect(sent(dict.submit)).toEqual([{ code: 'colour', dictValue: '颜色', dictValueEn: null, sort: 3, isSealed: 0, remark: null }]);
});

test('configuring a dictionary opens its entries as a tree', async () => {
  const { drawer, press, sent } = await configure();
  expect(sent(dict.childList)).toEqual([{ parentId: '1' }]);
  expect(headings(drawer.getByRole('table'))).toEqual(['字典名称', '字典编号', '字典键值', '标签颜色', '字典排序', '封存', '字典备注', '操作']);
  expect(drawer.queryByText('男孩')).toBeNull();
  await press(drawer.getByRole('button', { name: '展开男' }));
  expect(drawer.getByText('男孩')).toBeTruthy();
});

test('a new entry is below its dictionary, and needs a key', async () => {
  const { drawer, press, openForm, user, sent } = await configure();
  await openForm(drawer.getByRole('button', { name: '新增' }));
  await press(form().getByRole('button', { name: '保存' }));
  expect(form().getAllByText('请输入字典键值')).not.toEqual([]);
  expect(form().getByText('性别')).toBeTruthy();
  await user.type(form().getByLabelText('字典名称'), '未知');
  await user.type(form().getByLabelText('字典键值'), '3');
  await user.type(form().getByLabelText('字典排序'), '3');
  await press(form().getByRole('button', { name: '保存' }));
  expect(sent(dict.submit)).toEqual([
    { code: 'sex', dictValue: '未知', dictValueEn: null, dictKey: '3', parentId: '1', sort: 3, isSealed: 0, remark: null, tone: null },
  ]);
  expect(sent(dict.childList)).toHaveLength(2);
});

test('an entry is moved below another one of its dictionary, never below itself', async () => {
  const { drawer, press, openForm, sent } = await configure();
  await openForm(drawer.getAllByRole('button', { name: '编辑' })[0] as HTMLElement);
  expect(sent(dict.tree)).toEqual([{ code: 'sex' }]);
  await press(form().getByRole('combobox', { name: '上级字典' }));
  expect(form().getByText('男孩', { selector: '.arco-tree-node-disabled *' })).toBeTruthy();
  await press(form().getByText('女', { selector: '.arco-tree-node-title-text' }));
  await press(form().getByRole('button', { name: '保存' }));
  expect(sent(dict.submit)).toEqual([
    { id: '11', code: 'sex', dictValue: '男', dictValueEn: null, dictKey: '1', parentId: '12', sort: 1, isSealed: 0, remark: null, tone: null },
  ]);
});

test('an entry that is moved to the top level becomes a dictionary with its own code', async () => {
  const { drawer, press, openForm, user, sent } = await configure({ more: { [dict.submit.path]: () => ({ ...male, parentId: '0', code: 'man' }) } });
  await openForm(drawer.getAllByRole('button', { name: '编辑' })[0] as HTMLElement);
  await press(form().getByRole('combobox', { name: '上级字典' }));
  await press(form().getByText('顶级', { selector: '.arco-tree-node-title-text' }));
  const code = form().getByLabelText<HTMLInputElement>('字典编号');
  expect(code.value).toBe('sex');
  await user.clear(code);
  await user.type(code, 'man');
  const read = sent(dict.parentList).length;
  await press(form().getByRole('button', { name: '保存' }));
  expect(sent(dict.submit)).toMatchObject([{ id: '11', code: 'man', parentId: '0' }]);
  expect(sent(dict.parentList)).toHaveLength(read + 1);
});

test('an entry is removed after a question, and the tree is read again', async () => {
  const { drawer, press, messages, sent } = await configure();
  await press(drawer.getAllByRole('button', { name: '删除' })[1] as HTMLElement);
  expect(messages).toEqual(['asked: 确定将选择数据删除?', 'success: 删除成功']);
  expect(sent(dict.remove)).toEqual([{ ids: ['12'] }]);
  expect(sent(dict.childList)).toHaveLength(2);
});

test('a refused key leaves the form open', async () => {
  const refuse = () => new Refused(409, dictProblems.taken.message[0]);
  const { drawer, press, openForm, messages } = await configure({ more: { [dict.submit.path]: refuse } });
  await openForm(drawer.getAllByRole('button', { name: '编辑' })[0] as HTMLElement);
  await press(form().getByRole('button', { name: '保存' }));
  expect(messages).toEqual([]);
  expect(form().getByRole('button', { name: '保存' })).toBeTruthy();
});

test('users with read access have no buttons that change data, in either table', async () => {
  const { drawer } = await configure({ verbs: [] });
  expect(drawer.getByText('女')).toBeTruthy();
  for (const name of ['新增', '编辑', '删除', '批量删除']) expect(screen.queryByRole('button', { name })).toBeNull();
});

test('an entry is added below another one', async () => {
  const { drawer, openForm, user, press, sent } = await configure();
  await openForm(drawer.getAllByRole('button', { name: '新增下级' })[1] as HTMLElement);
  expect(form().getByText('女')).toBeTruthy();
  await user.type(form().getByLabelText('字典名称'), '女孩');
  await user.type(form().getByLabelText('字典键值'), '21');
  await user.type(form().getByLabelText('字典排序'), '1');
  await press(form().getByRole('button', { name: '保存' }));
  expect(sent(dict.submit)).toEqual([
    { code: 'sex', dictValue: '女孩', dictValueEn: null, dictKey: '21', parentId: '12', sort: 1, isSealed: 0, remark: null, tone: null },
  ]);
});

test('closing the entries leads back to where they were opened', async () => {
  const { drawer, press, settle } = await configure();
  await press(drawer.getByRole('button', { name: '关闭' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await settle();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: '字典配置' }));
});

test('entries that are being changed are not left without a question, and the tab is unmarked with them', async () => {
  const marks: boolean[] = [];
  const page = await showPage(<DictPage />, { answers, codes: ['dict', 'dict_add'], pane: { setDirty: (dirty) => void marks.push(dirty) } });
  await page.press(screen.getByRole('button', { name: '字典配置' }));
  const drawer = within(await screen.findByRole('dialog', { name: '字典配置：性别' }));
  await page.press(drawer.getByRole('button', { name: '新增' }));
  await page.user.type(await form().findByLabelText('字典名称'), '未知');
  expect(marks.at(-1)).toBe(true);
  await page.hideTab();
  await page.showTab();
  expect(marks.at(-1)).toBe(true);
  expect(page.inputs(dict.childList)).toHaveLength(1);
  await page.press(drawer.getAllByRole('button', { name: '关闭' })[0] as HTMLElement);
  await page.settle();
  expect(page.messages).toEqual(['asked: 修改尚未保存，关闭后将丢失。']);
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(marks.at(-1)).toBe(false);
});

test('business dictionaries are the same screen over calls of their own', async () => {
  const { press, inputs } = await showPage(<DictBizPage />, {
    codes: ['dict_biz'],
    answers: {
      [dictBiz.parentList.path]: () => ({ records: [{ ...sex, dictValue: '渠道' }], total: 1, totalExact: true, size: 10, current: 1, pages: 1 }),
      [dictBiz.childList.path]: () => [{ ...male, dictValue: '电视', tone: 'good' }],
    },
  });
  await press(await screen.findByRole('button', { name: '字典配置' }));
  const drawer = within(await screen.findByRole('dialog', { name: '字典配置：渠道' }));
  await drawer.findByText('电视');
  expect(drawer.getByText('绿').className).toContain('cell_tag_good');
  expect(inputs(dictBiz.childList)).toEqual([{ parentId: '1' }]);
});
