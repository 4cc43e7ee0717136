import { describe, expect, test } from '@rstest/core';
import { screen, within } from '@testing-library/react';
import { crud, entity } from '../../../../src/shared/contract/contract.ts';
import { Id, Integer, Select, Text } from '../../../../src/shared/contract/fields.ts';
import { preference } from '../../../../src/shared/platform/preferences.ts';
import { sharedViews } from '../../../../src/shared/platform/views.ts';
import { type ScreenOptions, showCrud } from '../../../support/crud-screen.tsx';

const Lamp = entity('lamp', {
  id: Id(),
  name: Text({ title: ['名称', 'Name'], search: true, sort: true }),
  kind: Select({
    title: ['类别', 'Kind'],
    search: true,
    options: [
      [1, ['台灯', 'Desk']],
      [2, ['落地灯', 'Floor']],
    ],
  }),
  watts: Integer({ title: ['功率', 'Power'], default: 5 }),
});
const lamp = crud('/api/shop/lamp', Lamp);
const all = Array.from({ length: 25 }, (_, at) => ({ id: String(at + 1), name: `灯 ${at + 1}`, kind: 1, watts: 5 }));

const answers: ScreenOptions['answers'] = {
  '/api/shop/lamp/list': ({ current = 1, size = 10, name = '' }) => {
    const found = all.filter((row) => row.name.includes(String(name)));
    const records = found.slice((Number(current) - 1) * Number(size), Number(current) * Number(size));
    return { records, total: found.length, totalExact: true, size, current, pages: 1 };
  },
  '/api/shop/lamp/detail': ({ id }) => {
    const row = all.find((one) => one.id === id);
    if (!row) throw new Error('no such record');
    return row;
  },
};

async function open(search = '', options: Partial<ScreenOptions> = {}) {
  history.replaceState(null, '', `/base/lamp/index${search}`);
  const shown = await showCrud({ crud: lamp }, { answers, codes: ['lamp', 'lamp_add', 'lamp_edit', 'lamp_view'], ...options });
  return { ...shown, lists: () => shown.inputs(lamp.list), address: () => decodeURIComponent(location.search) };
}

const names = () => [...document.querySelectorAll('tr[data-row]')].map((row) => /灯 \d+/.exec(row.textContent ?? '')?.[0]);
const dialog = () => within(screen.getByRole('dialog'));

describe('the query of a list', () => {
  test('starts as the address states it, with one request', async () => {
    const { lists, address } = await open('?kind=1&page=2&sort=-name');
    expect(lists()).toEqual([{ kind_equal: 1, current: 2, size: 10, descs: 'name' }]);
    expect([address(), names()[0]]).toEqual(['?kind=1&sort=-name&page=2', '灯 11']);
  });

  test('is written to the address and follows the browser’s history, with one request each', async () => {
    const { user, press, goTo, lists, address } = await open();
    expect([address(), lists().length]).toEqual(['', 1]);
    await user.type(screen.getByRole('textbox', { name: '名称' }), '灯 1');
    await press(screen.getByRole('button', { name: '查询' }));
    expect([address(), lists().length]).toEqual(['?name=灯+1', 2]);
    await press(screen.getByRole('button', { name: '第 2 页' }));
    expect([address(), lists().length]).toEqual(['?name=灯+1&page=2', 3]);
    await goTo('?name=%E7%81%AF+1');
    expect(lists()).toHaveLength(4);
    expect(lists()[3]).toEqual({ name: '灯 1', current: 1, size: 10 });
    await goTo('');
    expect(lists()[4]).toEqual({ current: 1, size: 10 });
    expect((screen.getByRole('textbox', { name: '名称' }) as HTMLInputElement).value).toBe('');
    expect([address(), lists().length]).toEqual(['', 5]);
  });

  test('a page beyond the end is corrected in the address', async () => {
    const { lists, address } = await open('?page=9');
    expect([address(), lists().map(({ current }) => current)]).toEqual(['?page=3', [9, 3]]);
  });

  test('a hidden tab follows its own address once it is shown', async () => {
    const { hideTab, showTab, goTo, lists } = await open();
    await hideTab();
    await goTo('?page=2');
    expect(lists()).toHaveLength(1);
    await showTab();
    expect(lists().map(({ current }) => current)).toEqual([1, 2]);
  });

  test('parts that do not apply are reported and removed; other parameters stay', async () => {
    const { messages, address } = await open('?watts=5&kind=9&dept=7&page=2');
    expect(messages).toEqual(['warning: 链接中的以下条件无法应用，已忽略：功率、类别']);
    expect(address()).toBe('?dept=7&page=2');
  });

  test('a default view stands in the address, gives way to another one, and stays away once it is reset', async () => {
    localStorage.clear();
    const options = { answers: { ...answers, [preference.submit.path]: () => null, [sharedViews.list.path]: () => [] } };
    const first = await open('?name=%E7%81%AF+9', options);
    await first.press(screen.getByRole('button', { name: '视图' }));
    await first.user.type(await screen.findByRole('textbox', { name: '视图名称' }), '灯九');
    await first.press(screen.getByRole('button', { name: '保存为视图' }));
    await first.press(screen.getByRole('button', { name: '设「灯九」为默认' }));
    await first.closeTab();

    const second = await open('', options);
    expect([second.address(), second.lists()]).toEqual(['?name=灯+9', [{ name: '灯 9', current: 1, size: 10 }]]);
    await second.press((await second.openFilters()).getByRole('button', { name: '重置' }));
    await second.settle();
    expect(second.address()).toBe('?view=all');
    await second.closeTab();

    const third = await open('?view=all', options);
    expect([third.address(), third.lists()]).toEqual(['?view=all', [{ current: 1, size: 10 }]]);
    await third.closeTab();
    expect((await open('?kind=1', options)).lists()).toEqual([{ kind_equal: 1, current: 1, size: 10 }]);
  });
});

describe('an opened record', () => {
  test('is opened by the address once the list is loaded, and closed by going back', async () => {
    const { goTo, lists } = await open('?record=3');
    expect(dialog().getByRole('heading', { name: '灯 3' })).toBeTruthy();
    await goTo('');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(lists()).toHaveLength(1);
  });

  test('opens in its form, also when the list does not show it', async () => {
    await open('?record=25&mode=edit');
    expect((dialog().getByRole('textbox', { name: '名称' }) as HTMLInputElement).value).toBe('灯 25');
  });

  test('is written to the address and removed when it is closed', async () => {
    const { press, address } = await open();
    await press(screen.getAllByRole('button', { name: '编辑' })[1] as HTMLElement);
    expect(address()).toBe('?record=2&mode=edit');
    await press(dialog().getByRole('button', { name: '取消' }));
    expect(address()).toBe('');
    await press(screen.getByRole('button', { name: '新增' }));
    expect(address()).toBe('?mode=add');
  });

  test('stays open with its address when unsaved input is kept', async () => {
    const { user, press, goTo, address, questions } = await open('', { confirms: false });
    await press(screen.getAllByRole('button', { name: '编辑' })[1] as HTMLElement);
    await user.type(dialog().getByRole('textbox', { name: '名称' }), '!');
    await goTo('');
    expect(questions).toHaveLength(1);
    expect([address(), (dialog().getByRole('textbox', { name: '名称' }) as HTMLInputElement).value]).toEqual(['?record=2&mode=edit', '灯 2!']);
  });

  test('that is missing, or that this user may not open, is reported, and the list is shown', async () => {
    const missing = await open('?record=99');
    expect(missing.messages).toEqual(['warning: 链接中的记录不存在，或您没有权限查看。']);
    expect([missing.address(), names().length, screen.queryByRole('dialog')]).toEqual(['', 10, null]);
    await missing.closeTab();
    const forbidden = await open('?record=3&mode=edit', { codes: ['lamp'] });
    expect(forbidden.messages).toEqual(['warning: 链接中的记录不存在，或您没有权限查看。']);
    expect(forbidden.address()).toBe('');
  });
});

test('a list in groups offers no button for a new record, even when it has no rows', async () => {
  const empty = { records: [], groups: [], total: 0, totalExact: true, size: 10, current: 1, pages: 0 };
  const { lists } = await open('?layout=group.kind', { answers: { ...answers, '/api/shop/lamp/list': () => empty } });
  expect(lists().at(-1)).toMatchObject({ groups: 'kind' });
  const vacancy = document.querySelector<HTMLElement>('.groups .crud-vacancy');
  expect(vacancy && within(vacancy).queryAllByRole('button')).toEqual([]);
});
