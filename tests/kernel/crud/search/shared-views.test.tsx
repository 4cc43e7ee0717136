import { beforeEach, expect, test } from '@rstest/core';
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { crud, entity } from '../../../../src/shared/contract/contract.ts';
import { Id, Text } from '../../../../src/shared/contract/fields.ts';
import { preference } from '../../../../src/shared/platform/preferences.ts';
import { type SharedView, sharedViews } from '../../../../src/shared/platform/views.ts';
import { showCrud } from '../../../support/crud-screen.tsx';
import { Refused } from '../../../support/scripted-http.ts';

const lamp = crud('/api/shop/lamp', entity('lamp', { id: Id(), name: Text({ title: ['名称', 'Name'], search: true }) }));
const bright = { version: 1, filters: { name: '亮' }, conditions: [], columns: [] };
const theirs: SharedView = { id: '1', name: '亮灯', view: bright, owner: '王芳', isOwn: false, mayWithdraw: false };

beforeEach(() => {
  cleanup();
  localStorage.clear();
  history.replaceState(null, '', '/base/lamp/index');
});

/** Opens the panel of views in front of a server that stores what it receives. */
async function openViews(shared: SharedView[], list: () => unknown = () => [...shared]) {
  const shown = await showCrud(
    { crud: lamp },
    {
      codes: ['lamp'],
      answers: {
        '/api/shop/lamp/list': () => ({ records: [], total: 0, totalExact: true, size: 10, current: 1, pages: 0 }),
        [preference.submit.path]: () => null,
        [sharedViews.list.path]: list,
        [sharedViews.share.path]: ({ name, view }) => {
          const others = shared.filter((one) => !(one.isOwn && one.name === name));
          shared.splice(0, shared.length, ...others, {
            ...theirs,
            id: '2',
            name: String(name),
            view: view as SharedView['view'],
            isOwn: true,
            mayWithdraw: true,
          });
          return null;
        },
        [sharedViews.withdraw.path]: ({ id }) => {
          shared.splice(
            shared.findIndex((one) => one.id === id),
            1,
          );
          return null;
        },
      },
    },
  );
  await shown.press(screen.getByRole('button', { name: '视图' }));
  const panel = within(await screen.findByRole('dialog', { name: '视图' }));
  await shown.settle();
  return { ...shown, panel };
}

test('views of other users show their owners, and only permitted users can withdraw them', async () => {
  const others = [theirs, { ...theirs, id: '3', name: '可撤回', mayWithdraw: true }];
  const { panel, press, inputs } = await openViews(others);
  expect(inputs(sharedViews.list)).toEqual([{ of: '/api/shop/lamp/list' }]);
  const list = within(panel.getByRole('region', { name: '共享视图' }));
  expect(list.queryByRole('button', { name: '撤回共享「亮灯」' })).toBeNull();
  await press(list.getByRole('button', { name: '撤回共享「可撤回」' }));
  expect(inputs(sharedViews.withdraw)).toEqual([{ id: '3' }]);
  expect(list.queryByText('可撤回')).toBeNull();
  await press(list.getByRole('button', { name: /^亮灯/ }));
  expect(inputs(lamp.list).at(-1)).toMatchObject({ name: '亮' });
});

test('a shared view can be the only default view, and the list starts with its current state', async () => {
  const { panel, press, inputs } = await openViews([theirs]);
  await press(panel.getByRole('button', { name: '设「亮灯」为默认' }));
  await expect
    .poll(() => inputs(preference.submit).at(-1))
    .toMatchObject({ key: 'views:/api/shop/lamp/list', value: { views: [], follows: '1', followed: bright } });
  // The title says that it is the default; a pressed state would say the opposite of it.
  expect((await panel.findByRole('button', { name: '取消默认「亮灯」' })).hasAttribute('aria-pressed')).toBe(false);
  cleanup();
  const again = await openViews([theirs]);
  expect(again.inputs(lamp.list)[0]).toMatchObject({ name: '亮' });
  await again.press(again.panel.getByRole('button', { name: '取消默认「亮灯」' }));
  cleanup();
  history.replaceState(null, '', location.pathname);
  const third = await openViews([theirs]);
  expect(third.inputs(lamp.list)[0]).not.toHaveProperty('name');
});

test('the user’s own view is shared, updated under its name and deleted', async () => {
  const { panel, press, user, messages, inputs } = await openViews([]);
  const save = async () => {
    await user.type(panel.getByRole('textbox', { name: '视图名称' }), '我的');
    await press(panel.getByRole('button', { name: '保存为视图' }));
  };
  await save();
  expect(inputs(sharedViews.share)).toEqual([]);
  await press(panel.getByRole('button', { name: '与同事共享「我的」' }));
  expect(inputs(sharedViews.share)).toMatchObject([{ of: '/api/shop/lamp/list', name: '我的', view: { version: 1, filters: {}, conditions: [] } }]);
  expect(messages).toContain('success: 已共享视图「我的」，能看到此列表的人都可使用');
  expect(panel.queryByRole('region', { name: '共享视图' })).toBeNull();
  await save();
  expect(inputs(sharedViews.share)).toHaveLength(2);
  await press(panel.getByRole('button', { name: '删除视图「我的」' }));
  expect(inputs(sharedViews.withdraw)).toEqual([{ id: '2' }]);
});

test('undoing the deletion of a view keeps what has changed since, and shares the view again once it has been withdrawn', async () => {
  const requests: string[] = [];
  const { panel, press, user, inputs, toastActions, http } = await openViews([]);
  const send = http.send.bind(http);
  http.send = (async (call: never, ...rest: never[]) => {
    requests.push(`send ${(call as { path: string }).path}`);
    const answer = await (send as (...all: never[]) => Promise<unknown>)(call, ...rest);
    requests.push(`answer ${(call as { path: string }).path}`);
    return answer;
  }) as typeof http.send;
  const save = async (name: string) => {
    await user.type(panel.getByRole('textbox', { name: '视图名称' }), name);
    await press(panel.getByRole('button', { name: '保存为视图' }));
  };
  const storedNames = () => (inputs(preference.submit).at(-1)?.value as { views: { name: string }[] } | undefined)?.views.map(({ name }) => name);
  await save('甲');
  await save('乙');
  await press(panel.getByRole('button', { name: '与同事共享「甲」' }));
  await press(panel.getByRole('button', { name: '设「甲」为默认' }));
  requests.length = 0;
  fireEvent.click(panel.getByRole('button', { name: '删除视图「甲」' }));
  toastActions.pop()?.();
  await expect.poll(() => requests).toContain(`answer ${sharedViews.share.path}`);
  expect(requests.indexOf(`answer ${sharedViews.withdraw.path}`)).toBeLessThan(requests.indexOf(`send ${sharedViews.share.path}`));

  await press(panel.getByRole('button', { name: '删除视图「甲」' }));
  const undo = toastActions.pop();
  await save('丙');
  undo?.();
  await expect.poll(storedNames).toEqual(['甲', '乙', '丙']);
  expect(await panel.findByRole('button', { name: '取消默认「甲」' })).toBeTruthy();

  await press(panel.getByRole('button', { name: '删除视图「乙」' }));
  const undoLater = toastActions.pop();
  await save('乙');
  undoLater?.();
  await expect.poll(storedNames).toEqual(['甲', '丙', '乙']);
});

test('a failure to load shows a retry button', async () => {
  let isDown = true;
  const { panel, press } = await openViews([], () => (isDown ? new Refused(503, '服务暂不可用') : [theirs]));
  expect(panel.getByRole('alert').textContent).toContain('共享视图加载失败');
  isDown = false;
  await press(panel.getByRole('button', { name: '重试' }));
  expect(panel.getByText('王芳')).toBeTruthy();
});

test('a view that cannot be shared while the server is unreachable shows an error', async () => {
  const { panel, press, user, messages, http } = await openViews([]);
  await user.type(panel.getByRole('textbox', { name: '视图名称' }), '我的');
  await press(panel.getByRole('button', { name: '保存为视图' }));
  http.send = () => Promise.reject(new Error('offline'));
  await press(panel.getByRole('button', { name: '与同事共享「我的」' }));
  expect(messages.at(-1)).toMatch(/^error: /);
});
