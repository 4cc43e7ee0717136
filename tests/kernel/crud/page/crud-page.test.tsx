import { afterEach, beforeEach, describe, expect, test } from '@rstest/core';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { param } from '#plugins/settings/contract';
import type { ListInput } from '#shared/contract';
import { rowTitles, type ScreenOptions, showCrud } from '../../../support/crud-screen.tsx';
import { Refused } from '../../../support/scripted-http.ts';

const at = '/api/blade-system/param';
const everything = ['param', 'param_add', 'param_edit', 'param_delete', 'param_view'];

const row = (number: number) => ({
  id: String(number),
  paramName: `参数${number}`,
  paramKey: `key.${number}`,
  paramValue: `${number}`,
  remark: null,
  createTime: '2026-01-01 00:00:00',
});

/** Fakes a server that pages `count` parameters. */
function serverWith(count: number, more: ScreenOptions['answers'] = {}) {
  const rows = Array.from({ length: count }, (_, index) => row(index + 1));
  return {
    [`${at}/list`]: ({ current = 1, size = 10 }: ListInput) => ({
      records: rows.slice((current - 1) * size, current * size),
      total: rows.length,
      totalExact: true,
      size,
      current,
      pages: Math.ceil(rows.length / size),
    }),
    [`${at}/detail`]: ({ id }: { id?: string }) => rows.find((found) => found.id === id),
    [`${at}/submit`]: (input: object) => ({ ...row(99), ...input }),
    [`${at}/remove`]: ({ ids = [] }: { ids?: string[] }) => {
      for (const id of ids)
        rows.splice(
          rows.findIndex((found) => found.id === id),
          1,
        );
      return null;
    },
    ...more,
  } as ScreenOptions['answers'];
}

const show = (answers: ScreenOptions['answers'], options: Partial<ScreenOptions> = {}) => showCrud({ crud: param }, { answers, codes: everything, ...options });
const button = (name: string | RegExp) => screen.getByRole('button', { name });
const dialog = () => within(screen.getByRole('dialog'));

beforeEach(() => {
  cleanup();
  localStorage.clear();
});

describe('the list', () => {
  test('asks for ten rows and shows them under the titles of the contract', async () => {
    const { http } = await show(serverWith(12));
    expect(http.to('/list').map(({ input }) => input)).toEqual([{ current: 1, size: 10 }]);
    expect(screen.getAllByRole('row')).toHaveLength(11);
    expect(screen.getByRole('columnheader', { name: '参数名称' })).toBeTruthy();
    expect(screen.getAllByText('共 12 条')).toHaveLength(2);
  });

  test('turns pages and keeps the selected page size, starting with the first page', async () => {
    const { http, user, settle } = await show(serverWith(120));
    await user.click(screen.getByRole('button', { name: '第 2 页' }));
    await settle();
    await user.selectOptions(screen.getByRole('combobox', { name: '每页条数' }), '50 条/页');
    await settle();
    expect(http.to('/list').map(({ input }) => [input.current, input.size])).toEqual([
      [1, 10],
      [2, 10],
      [1, 50],
    ]);
    expect(
      within(screen.getByRole('combobox', { name: '每页条数' }))
        .getAllByRole('option')
        .map((option) => option.textContent),
    ).toEqual(['10 条/页', '30 条/页', '50 条/页', '100 条/页', '200 条/页']);
  });

  test('renders few elements for each row, without invalid attributes', async () => {
    await show(serverWith(2));
    const [row] = document.querySelectorAll('tr[data-row]');
    const cells = row?.querySelectorAll('td').length ?? 0;
    // A cell consists of the cell itself, an element for alignment and its text; two cells hold a check box and buttons instead.
    expect(row?.querySelectorAll('*').length).toBeLessThanOrEqual(cells * 3 + 5);
    expect(row?.getAttributeNames()).not.toContain('record');
  });

  test('sorts by column names of the server, up, down and not at all, and only where the contract allows', async () => {
    const { http, user, settle } = await show(serverWith(3));
    const heading = () => within(screen.getByRole('columnheader', { name: /参数名称/ })).getByRole('button');
    for (let press = 0; press < 3; press++) {
      await user.click(heading());
      await settle();
    }
    expect(http.to('/list').map(({ input: { ascs, descs } }) => ({ ascs, descs }))).toEqual([
      { ascs: undefined, descs: undefined },
      { ascs: 'param_name', descs: undefined },
      { ascs: undefined, descs: 'param_name' },
      { ascs: undefined, descs: undefined },
    ]);
    expect(within(screen.getByRole('columnheader', { name: '参数键值' })).queryByRole('button')).toBeNull();
  });

  test('searches within text on Enter, from the first page, and resets', async () => {
    const { http, user, settle, press, openFilters } = await show(serverWith(30));
    await user.click(screen.getByRole('button', { name: '第 2 页' }));
    await user.type(screen.getByLabelText('参数名称'), ' 邮件 {Enter}');
    await settle();
    expect(http.to('/list').at(-1)?.input).toEqual({ current: 1, size: 10, paramName: '邮件' });
    await press((await openFilters()).getByRole('button', { name: '重置' }));
    expect(screen.queryByRole('dialog', { name: '筛选' })).toBeNull();
    await settle();
    expect(http.to('/list').at(-1)?.input).toEqual({ current: 1, size: 10 });
    expect((screen.getByLabelText('参数名称') as HTMLInputElement).value).toBe('');
  });

  test('drops the older of two answers', async () => {
    const { http, user, settle } = await show({
      ...serverWith(0),
      [`${at}/list`]: ({ paramName = '' }) => ({ records: [{ ...row(1), paramName: `答案${paramName}` }], total: 1, totalExact: true }),
    });
    http.hold();
    await user.type(screen.getByLabelText('参数名称'), '一{Enter}');
    await user.type(screen.getByLabelText('参数名称'), '二{Enter}');
    http.release(1);
    await settle();
    http.release(0);
    await settle();
    expect(screen.queryByText('答案一')).toBeNull();
    expect(screen.getByText('答案一二')).toBeTruthy();
    expect(http.to('/list')[1]?.options.signal?.aborted).toBe(true);
  });

  test('keeps old rows and total while new rows load, and paints the click before the request is sent', async () => {
    const { http, user, settle } = await show(serverWith(30));
    http.hold();
    fireEvent.submit(screen.getByLabelText('参数名称'));
    expect(http.to('/list')).toHaveLength(1);
    await settle();
    await waitFor(() => expect(http.to('/list')).toHaveLength(2));
    expect(screen.getByText('共 30 条')).toBeTruthy();
    expect(screen.getByRole('button', { name: '第 3 页' })).toBeTruthy();
    await user.click(screen.getByRole('button', { name: '第 3 页' }));
    await waitFor(() => expect(http.to('/list')[1]?.options.signal?.aborted).toBe(true));
  });

  test('shows an uncounted total as a lower bound, counts it on request and caches it', async () => {
    const { http, user, settle } = await show({
      ...serverWith(0),
      [`${at}/list`]: ({ exactTotal }) => ({ records: [row(1)], total: exactTotal ? 48_123 : 10_001, totalExact: exactTotal === true }),
    });
    expect(screen.getAllByText('共 10,000+ 条')).toHaveLength(2);
    await user.click(button('统计总数'));
    await settle();
    expect(http.to('/list').at(-1)?.input.exactTotal).toBe(true);
    await user.click(screen.getByRole('button', { name: '第 2 页' }));
    await settle();
    expect(http.to('/list').at(-1)?.input.exactTotal).toBeUndefined();
    expect(screen.getAllByText('共 48,123 条')).toHaveLength(2);
  });

  describe('shows rows before their count', () => {
    const uncounted = {
      ...serverWith(0),
      [`${at}/list`]: ({ size, current = 1, paramName = '' }: Record<string, unknown>) =>
        size === 0
          ? { records: [], total: paramName === '' ? 2880 : 48, totalExact: true }
          : { records: [{ ...row(1), paramName: `答案${paramName}` }], total: Number(current) * 10 + 1, totalExact: false },
    } as ScreenOptions['answers'];
    const search = async ({ user, http }: Awaited<ReturnType<typeof show>>, text: string) => {
      http.hold();
      await user.type(screen.getByLabelText('参数名称'), `${text}{Enter}`);
    };

    test('shows the rows at once and the total when it follows', async () => {
      const shown = await show(uncounted);
      expect(screen.getAllByText('共 2,880 条')).toHaveLength(2);
      await search(shown, '一');
      shown.http.release();
      await shown.settle();
      expect(screen.getByText('答案一')).toBeTruthy();
      expect(document.querySelector('.crud-paging--counting')).toBeTruthy();
      expect(screen.queryByRole('button', { name: '统计总数' })).toBeNull();
      expect(shown.http.to('/list').at(-1)?.input).toEqual({ current: 1, size: 0, paramName: '一' });
      shown.http.release();
      await shown.settle();
      expect(screen.getAllByText('共 48 条')).toHaveLength(2);
      expect(document.querySelector('.crud-paging--counting')).toBeNull();
    });

    test('keeps the total while the page turns', async () => {
      const { http, user, settle } = await show(uncounted);
      http.hold();
      await user.click(screen.getByRole('button', { name: '第 2 页' }));
      http.release();
      await settle();
      expect(screen.getAllByText('共 2,880 条')).toHaveLength(2);
    });

    test('drops a pending count when another search starts', async () => {
      const shown = await show(uncounted);
      await search(shown, '一');
      shown.http.release();
      await shown.settle();
      await search(shown, '二');
      expect(shown.http.to('/list')[3]?.options.signal?.aborted).toBe(true);
      shown.http.release();
      shown.http.release();
      await shown.settle();
      shown.http.release();
      await shown.settle();
      expect(screen.getByText('答案一二')).toBeTruthy();
      expect(screen.getAllByText('共 48 条')).toHaveLength(2);
    });
  });

  test('offers to add in an empty list, and to clear the search without matches', async () => {
    const { user, settle, http } = await show(serverWith(0));
    expect(screen.getByText('暂无数据')).toBeTruthy();
    expect(screen.getAllByRole('button', { name: '新增' })).toHaveLength(2);
    await user.type(screen.getByLabelText('参数键名'), 'x{Enter}');
    await settle();
    expect(screen.getByText('没有符合条件的数据')).toBeTruthy();
    await user.click(button('清除条件'));
    await settle();
    expect(http.to('/list').at(-1)?.input).toEqual({ current: 1, size: 10 });
    expect((screen.getByLabelText('参数键名') as HTMLInputElement).value).toBe('');
  });

  test('shows the error with a retry button and keeps the rows of an earlier answer', async () => {
    let fails = true;
    const good = serverWith(3);
    const { user, settle } = await show({ ...good, [`${at}/list`]: (input) => (fails ? new Refused(500, '服务器异常') : good[`${at}/list`]?.(input)) });
    expect(screen.getByRole('alert').textContent).toContain('服务器异常');
    fails = false;
    await user.click(button('重试'));
    await settle();
    expect(screen.queryByRole('alert')).toBeNull();
    fails = true;
    await user.click(button('刷新'));
    await settle();
    expect(screen.getByRole('alert').textContent).toContain('以下为上次加载的数据');
    expect(screen.getByText('参数1')).toBeTruthy();
  });

  test('shows an error without an answer', async () => {
    await show({
      ...serverWith(0),
      [`${at}/list`]: () => {
        throw new Error('socket hang up');
      },
    });
    expect(screen.getByRole('alert').textContent).toContain('无法连接服务器');
  });
});

describe('in a narrow window', () => {
  const resize = (width: number) => (window as unknown as { happyDOM: { setViewport(size: { width: number }): void } }).happyDOM.setViewport({ width });
  const wide = window.innerWidth;
  beforeEach(() => resize(390));
  afterEach(() => resize(wide));

  test('shows rows as cards: values with labels, nothing pinned, all actions behind one button', async () => {
    const { user } = await show(serverWith(2));
    const card = screen.getByRole('row', { name: /参数1/ });
    expect(within(card).getByRole('cell', { name: '参数键名 key.1' })).toBeTruthy();
    expect(document.querySelector('[class*=fixed-right]')).toBeNull();
    await user.click(within(card).getByRole('button', { name: '操作 · 参数1' }));
    expect((await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)).toEqual(['查看', '编辑', '删除']);
  });
});

describe('titles name the record', () => {
  const named = { screen: { crud: param, noun: ['系统参数', 'parameter'] } } as const;
  const pressIn = async (user: { click(element: Element): Promise<void> }, name: RegExp, action: string) =>
    user.click(within(screen.getByRole('row', { name })).getByRole('button', { name: action }));

  test.each([
    ['zh', ['新增', '编辑', '取消', '删除'], ['新增系统参数', '编辑系统参数「参数2」'], '删除「参数2」'],
    ['en', ['Add', 'Edit', 'Cancel', 'Delete'], ['Add parameter', 'Edit parameter “参数2”'], 'Delete “参数2”?'],
  ] as const)('in %s', async (language, [add, edit, cancel, remove], titles, question) => {
    const { user, settle, questions } = await showCrud(named.screen, { answers: serverWith(3), codes: everything, language });
    const opens = async (name: string) => {
      await screen.findByRole('dialog', { name });
      await user.click(dialog().getByRole('button', { name: cancel }));
      await settle();
    };
    await user.click(button(add));
    await opens(titles[0]);
    await pressIn(user, /参数2/, edit);
    await opens(titles[1]);
    await pressIn(user, /参数2/, remove);
    expect(questions).toEqual([question]);
  });

  test('several are counted, and a screen without a noun names the action alone', async () => {
    const { user, settle, questions } = await show(serverWith(3));
    await user.click(button('新增'));
    await screen.findByRole('dialog', { name: '新增' });
    await user.click(dialog().getByRole('button', { name: '取消' }));
    await settle();
    for (const name of ['选择参数1', '选择参数3']) await user.click(screen.getByRole('checkbox', { name }));
    await user.click(button('批量删除'));
    await settle();
    expect(questions).toEqual(['删除选中的 2 项']);
  });
});

describe('deleting', () => {
  test('warns without a selection', async () => {
    const { user, messages, http } = await show(serverWith(3));
    await user.click(button('批量删除'));
    expect(messages).toEqual(['warning: 请选择至少一条数据']);
    expect(http.to('/remove')).toHaveLength(0);
  });

  test('keeps the selection across pages, asks once and sends all ids', async () => {
    const { user, messages, http, settle } = await show(serverWith(12));
    await user.click(screen.getByRole('checkbox', { name: '选择参数2' }));
    await user.click(screen.getByRole('button', { name: '第 2 页' }));
    await settle();
    const all = screen.getByRole<HTMLInputElement>('checkbox', { name: '选择本页全部' });
    await user.click(screen.getByRole('checkbox', { name: '选择参数11' }));
    expect([all.checked, all.indeterminate]).toEqual([false, true]);
    await user.click(all);
    expect([all.checked, all.indeterminate]).toEqual([true, false]);
    expect(screen.getByText('已选 3 项')).toBeTruthy();
    await user.click(button('批量删除'));
    await settle();
    expect(messages).toEqual(['asked: 确定将选择数据删除?', 'success: 删除成功']);
    expect(http.to('/remove').map(({ input }) => input)).toEqual([{ ids: ['2', '11', '12'], partial: true }]);
    expect(screen.queryByText(/已选/)).toBeNull();
  });

  test('selects up to ten thousand matches, and clears the selection after an action', async () => {
    const dealt: (readonly string[])[] = [];
    const deal = (ids: readonly string[], { reload }: { reload(): void }) => {
      dealt.push(ids);
      reload();
    };
    const actions = { toolbar: [{ title: ['处理', 'Deal'], onClick: deal }] } as const;
    const { user, http, settle } = await showCrud({ crud: param, actions }, { answers: serverWith(12_345), codes: everything });
    await user.click(screen.getByRole('checkbox', { name: '选择本页全部' }));
    await user.click(button('选择前 10000 项'));
    await settle();
    expect(screen.getByText('已选 10000 项')).toBeTruthy();
    expect(http.to('/list').slice(1)).toHaveLength(50);
    expect(screen.queryByRole('button', { name: /选择前/ })).toBeNull();
    await user.click(button('处理'));
    await settle();
    expect([dealt[0]?.length, dealt[0]?.[9999]]).toEqual([10_000, '10000']);
    expect(screen.queryByText(/已选/)).toBeNull();
  });

  test('skips selected rows that an action does not apply to, and says so', async () => {
    const dealt: (readonly string[])[] = [];
    const isEven = ({ id }: { id: string }) => Number(id) % 2 === 0;
    const actions = {
      remove: isEven,
      toolbar: [{ title: ['处理', 'Deal'], when: isEven, onClick: (ids: readonly string[]) => void dealt.push(ids) }],
    } as const;
    const { user, messages, http, settle } = await showCrud({ crud: param, actions }, { answers: serverWith(3), codes: everything });
    await user.click(button('处理'));
    await user.click(screen.getByRole('checkbox', { name: '选择参数1' }));
    await user.click(button('处理'));
    await user.click(screen.getByRole('checkbox', { name: '选择参数2' }));
    await user.click(button('处理'));
    expect(dealt).toEqual([['2']]);
    await user.click(button('批量删除'));
    await settle();
    expect(http.to('/remove').map(({ input }) => input)).toEqual([{ ids: ['2'] }]);
    expect(messages).toEqual([
      'warning: 请选择至少一条数据',
      'warning: 所选数据均无法执行「处理」',
      'info: 所选数据中有 1 条无法执行「处理」，已跳过',
      'info: 所选数据中有 1 条无法执行「删除」，已跳过',
      'asked: 确定将选择数据删除?',
      'success: 删除成功',
    ]);
  });

  test('shows the previous page after the last row of the last page was deleted', async () => {
    const { user, http, settle } = await show(serverWith(11));
    await user.click(screen.getByRole('button', { name: '第 2 页' }));
    await settle();
    await user.click(button('删除'));
    await settle();
    expect(http.to('/remove').map(({ input }) => input)).toEqual([{ ids: ['11'] }]);
    expect(http.to('/list').at(-1)?.input.current).toBe(1);
    expect(screen.getAllByRole('row')).toHaveLength(11);
  });

  test('deletes nothing if the operator cancels', async () => {
    const { user, http, settle } = await show(serverWith(1), { confirms: false });
    await user.click(button('删除'));
    await settle();
    expect(http.to('/remove')).toHaveLength(0);
  });
});

describe('the form', () => {
  test('reports a missing value when a field is left', async () => {
    const { user } = await show(serverWith(0));
    await user.click(screen.getAllByRole('button', { name: '新增' })[0] as HTMLElement);
    await screen.findByRole('dialog');
    for (const label of ['参数名称', '参数键名', '参数键值']) {
      await user.click(dialog().getByLabelText(label));
      await user.tab();
    }
    expect(dialog().getByText('请输入参数名称')).toBeTruthy();
    expect(dialog().getByText('请输入参数键名')).toBeTruthy();
    expect(dialog().getByText('请输入参数键值')).toBeTruthy();
    expect(dialog().getByLabelText('参数名称').getAttribute('aria-invalid')).toBe('true');
    await user.type(dialog().getByLabelText('参数名称'), '甲');
    expect(dialog().queryByText('请输入参数名称')).toBeNull();
  });

  test('reports all errors on submit, focuses the first invalid field and sends nothing', async () => {
    const { user, http } = await show(serverWith(0));
    await user.click(screen.getAllByRole('button', { name: '新增' })[0] as HTMLElement);
    await screen.findByRole('dialog');
    await user.type(dialog().getByLabelText('参数名称'), '甲');
    await user.click(dialog().getByRole('button', { name: '保存' }));
    expect(dialog().getByText('请输入参数键名')).toBeTruthy();
    expect(dialog().getByText('请输入参数键值')).toBeTruthy();
    expect(document.activeElement).toBe(dialog().getByLabelText('参数键名'));
    expect(http.to('/submit')).toHaveLength(0);
  });

  async function fillIn({ user }: Awaited<ReturnType<typeof show>>) {
    await user.click(screen.getAllByRole('button', { name: '新增' })[0] as HTMLElement);
    await screen.findByRole('dialog');
    await user.type(dialog().getByLabelText('参数键名'), 'mail.host');
    await user.type(dialog().getByLabelText('参数键值'), 'localhost');
    await user.type(dialog().getByLabelText('参数名称'), '邮件');
  }

  test('saves on Enter, says 新增成功, closes, reloads the list and returns the focus', async () => {
    const shown = await show(serverWith(1));
    await fillIn(shown);
    await shown.user.keyboard('{Enter}');
    await shown.settle();
    expect(shown.http.to('/submit').map(({ input }) => input)).toEqual([
      { paramName: '邮件', paramNameEn: null, paramKey: 'mail.host', paramValue: 'localhost', remark: null },
    ]);
    expect(shown.messages).toEqual(['success: 新增成功']);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(shown.http.to('/list')).toHaveLength(2);
    expect(document.activeElement).toBe(button('新增'));
  });

  test('a double click saves once', async () => {
    const shown = await show(serverWith(1));
    await fillIn(shown);
    shown.http.hold();
    await shown.user.dblClick(dialog().getByRole('button', { name: '保存' }));
    await shown.user.keyboard('{Enter}');
    expect(shown.http.to('/submit')).toHaveLength(1);
  });

  test('can be used again after a failed save, keeps the input, and reuses the key only without an answer', async () => {
    const failures: (() => unknown)[] = [
      () => {
        throw new Error('socket hang up');
      },
      () => new Refused(409, '参数键名已存在'),
    ];
    const shown = await show({ ...serverWith(1), [`${at}/submit`]: (input) => (failures.shift() ?? (() => input))() });
    await fillIn(shown);
    for (let attempt = 0; attempt < 3; attempt++) {
      await shown.user.click(dialog().getByRole('button', { name: '保存' }));
      await shown.settle();
      if (attempt < 2) expect((dialog().getByLabelText('参数键名') as HTMLInputElement).value).toBe('mail.host');
    }
    const keys = shown.http.to('/submit').map(({ options }) => options.idempotencyKey);
    expect(keys[0]).toBe(keys[1]);
    expect(keys[2]).not.toBe(keys[1]);
    expect(keys[0]).toBeTruthy();
    expect(shown.messages).toEqual(['error: 无法连接服务器，请稍后再试', 'success: 新增成功']);
  });

  test('edits the current row of the server and says 更新成功', async () => {
    const { user, http, messages, settle } = await show(serverWith(2, { [`${at}/detail`]: ({ id }) => ({ ...row(2), id, paramValue: '新值' }) }));
    await user.click(screen.getAllByRole('button', { name: '编辑' })[1] as HTMLElement);
    await screen.findByRole('dialog');
    await settle();
    expect((dialog().getByLabelText('参数键值') as HTMLTextAreaElement).value).toBe('新值');
    await user.type(dialog().getByLabelText('备注'), '说明');
    await user.click(dialog().getByRole('button', { name: '保存' }));
    await settle();
    expect(http.to('/submit').map(({ input }) => input)).toEqual([
      { id: '2', paramName: '参数2', paramNameEn: null, paramKey: 'key.2', paramValue: '新值', remark: '说明' },
    ]);
    expect(messages).toEqual(['success: 更新成功']);
  });

  test('closes if the row no longer exists', async () => {
    const { user, settle } = await show(serverWith(1, { [`${at}/detail`]: () => new Refused(404, '数据不存在或已被删除') }));
    await user.click(button('编辑'));
    await settle();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('asks before unsaved changes are discarded, and marks its tab', async () => {
    const marks: boolean[] = [];
    const shown = await show(serverWith(1), { pane: { setDirty: (dirty) => void marks.push(dirty) }, confirms: false });
    await fillIn(shown);
    expect(marks.at(-1)).toBe(true);
    await shown.user.keyboard('{Escape}');
    await shown.settle();
    expect(shown.messages).toEqual(['asked: 修改尚未保存，关闭后将丢失。']);
    expect(screen.getByRole('dialog')).toBeTruthy();
  });

  test('Esc closes an untouched form without a question', async () => {
    const { user, messages, settle } = await show(serverWith(1));
    await user.click(button('新增'));
    await screen.findByRole('dialog');
    await user.keyboard('{Escape}');
    await settle();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(messages).toEqual([]);
  });

  test('shows a row read-only', async () => {
    const { user, settle } = await show(serverWith(1));
    await user.click(rowTitles()[0] as HTMLElement);
    await screen.findByRole('dialog');
    await settle();
    expect(dialog().getByText('key.1')).toBeTruthy();
    expect(dialog().queryByRole('textbox')).toBeNull();
    await user.click(dialog().getByRole('button', { name: '关闭' }));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('moves to the next row across pages of the list, which follows, up to the last', async () => {
    const server = serverWith(12);
    const list = server[`${at}/list`] as NonNullable<(typeof server)[string]>;
    let isDown = false;
    const lost: typeof list = (input) => {
      if (isDown) throw new Error('socket hang up');
      return list(input);
    };
    const { user, settle, press, messages, inputs } = await show({ ...server, [`${at}/list`]: lost });
    await user.click(rowTitles()[9] as HTMLElement);
    await screen.findByRole('dialog');
    await settle();
    const turn = (name: string) => press(dialog().getByRole('button', { name }));
    expect(dialog().getByText('第 10 / 12 条')).toBeTruthy();
    isDown = true;
    await turn('下一条');
    expect(messages).toEqual(['error: 无法连接服务器，请稍后再试']);
    expect(dialog().getByText('key.10')).toBeTruthy();
    isDown = false;
    await turn('下一条');
    expect(dialog().getByText('key.11')).toBeTruthy();
    expect(dialog().getByText('第 11 / 12 条')).toBeTruthy();
    expect(document.activeElement).toBe(dialog().getByRole('button', { name: '下一条' }));
    expect(screen.getByRole('button', { name: '第 2 页' }).getAttribute('aria-current')).toBe('page');
    await turn('下一条');
    await turn('下一条');
    expect(dialog().getByText('key.12')).toBeTruthy();
    expect(dialog().getByRole('button', { name: '下一条' }).getAttribute('aria-disabled')).toBe('true');
    for (const _ of [11, 10]) await turn('上一条');
    expect(dialog().getByText('key.10')).toBeTruthy();
    await press(dialog().getByRole('button', { name: '关闭' }));
    expect(document.activeElement?.getAttribute('data-row')).toBe('10');
    expect(inputs(param.list).map(({ current }) => current)).toEqual([1, 2, 2, 1]);
  });
});

describe('permission', () => {
  test('shows the buttons of the codes a user has, and follows a change', async () => {
    const { codes$, settle } = await show(serverWith(1), { codes: ['param', 'param_view'] });
    expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).not.toContain('删除');
    for (const name of ['新增', '编辑', '删除', '批量删除']) expect(screen.queryByRole('button', { name })).toBeNull();
    expect(screen.queryByRole('checkbox')).toBeNull();
    codes$.next(new Set([...everything]));
    await settle();
    for (const name of ['新增', '编辑', '删除', '批量删除']) expect(button(name)).toBeTruthy();
  });

  test('shows no button for a missing call, with any codes', async () => {
    const { submit: _, remove: __, ...calls } = param;
    await showCrud({ crud: calls, empty: { title: ['没有', 'None'], hint: ['稍后', 'Later'] } }, { answers: serverWith(1), codes: everything });
    for (const name of ['新增', '编辑', '删除', '批量删除']) expect(screen.queryByRole('button', { name })).toBeNull();
  });
});

describe('settings and language', () => {
  test('stores hidden columns and density for this user', async () => {
    const first = await show(serverWith(1));
    await first.user.click(button('表格设置'));
    await first.user.click(await screen.findByRole('checkbox', { name: '参数键值' }));
    expect(screen.queryByRole('columnheader', { name: '参数键值' })).toBeNull();
    cleanup();
    await show(serverWith(1));
    expect(screen.queryByRole('columnheader', { name: '参数键值' })).toBeNull();
    cleanup();
    await show(serverWith(1), { userId: '2' });
    expect(screen.getByRole('columnheader', { name: '参数键值' })).toBeTruthy();
  });

  test('is in English', async () => {
    await show(serverWith(1), { language: 'en' });
    expect(button('Add')).toBeTruthy();
    expect(screen.getByRole('columnheader', { name: 'Parameter value' })).toBeTruthy();
    expect(document.body.textContent).not.toMatch(/[一-鿿](?<!参|数)/);
  });
});

describe('a draft', () => {
  test('is offered where it was started, and not under another parent', async () => {
    sessionStorage.clear();
    const under = (parent: string) => showCrud({ crud: param, filter: { paramKey: parent } }, { answers: serverWith(3), codes: everything });
    const { user } = await under('A');
    await user.click(button('新增'));
    await screen.findByRole('dialog');
    await user.type(dialog().getByLabelText('参数名称'), '没写完');
    await expect.poll(() => Object.keys(sessionStorage).filter((key) => key.includes('draft:')).length, { timeout: 10_000 }).toBe(1);
    cleanup();
    await under('B');
    expect(screen.queryByRole('button', { name: '继续填写' })).toBeNull();
    cleanup();
    await under('A');
    expect(button('继续填写')).toBeTruthy();
  });
});
