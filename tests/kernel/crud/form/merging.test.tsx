import { beforeEach, expect, test } from '@rstest/core';
import { cleanup, screen, within } from '@testing-library/react';
import { filter, map, NEVER, Subject } from 'rxjs';
import { editing, RecordEditorsChanged, RecordSaved } from '#shared/live';
import { Live } from '../../../../src/kernel/platform/live/live.ts';
import { crud, entity } from '../../../../src/shared/contract/contract.ts';
import { Id, Integer, LongText, Money, Nullable, Text } from '../../../../src/shared/contract/fields.ts';
import { type ScreenOptions, showCrud } from '../../../support/crud-screen.tsx';
import { Refused } from '../../../support/scripted-http.ts';

const Offer = entity('offer', {
  id: Id(),
  name: Text({ title: ['名称', 'Name'], maxLength: 64 }),
  places: Integer({ title: ['名额', 'Places'], minimum: 0 }),
  price: Money({ title: ['价格', 'Price'] }),
  note: Nullable(LongText({ title: ['备注', 'Note'] })),
});
const offer = crud('/api/test/offer', Offer);
const at = '/api/test/offer';

type Row = Record<string, unknown> & { version: string };
const opened: Row = {
  id: '7',
  version: '100',
  name: '旧名',
  places: 1,
  price: 500,
  note: '第一行\n第二行\n第三行',
  createUser: null,
  createDept: null,
  createTime: '2026-01-01 00:00:00',
  updateUser: null,
  updateTime: null,
  status: 1,
  isDeleted: 0,
};

beforeEach(() => {
  cleanup();
  sessionStorage.clear();
});

/** Opens the form of the row; meanwhile another user saves these values, and a save with another version is refused. */
async function edit(theirs: Record<string, unknown>, language: 'zh' | 'en' = 'zh', services: ScreenOptions['services'] = []) {
  let current: Row = { ...opened, ...theirs, version: '101' };
  let reads = 0;
  const shown = await showCrud(
    { crud: offer },
    {
      answers: {
        [editing.path]: () => ({ editors: [] }),
        [`${at}/list`]: () => ({ records: [opened], total: 1, size: 10, current: 1, pages: 1 }),
        [`${at}/detail`]: () => (reads++ === 0 ? opened : current),
        [`${at}/submit`]: ({ version, ...form }) => {
          if (version !== undefined && version !== current.version)
            return new Refused(409, 'stale', { details: { current, changedBy: '李四', changedAt: '2026-01-02 14:03:00' } });
          current = { ...current, ...form, version: String(Number(current.version) + 1) };
          return current;
        },
      },
      codes: ['offer', 'offer_edit', 'offer_view'],
      language,
      services,
    },
  );
  await shown.press(screen.getByRole('button', { name: language === 'zh' ? /^编辑/ : /^Edit/ }));
  const form = within(await screen.findByRole('dialog'));
  await shown.settle();
  const enter = async (label: string, text: string) => {
    await shown.user.clear(form.getByLabelText(label));
    await shown.user.type(form.getByLabelText(label), text);
  };
  const save = async () => shown.press(form.getByRole('button', { name: language === 'zh' ? '保存' : 'Save' }));
  return { ...shown, form, enter, save, row: () => current, move: (values: Record<string, unknown>) => (current = { ...current, ...values, version: '150' }) };
}

const panel = async () => {
  await expect.poll(() => screen.getAllByRole('dialog').length, { timeout: 10_000 }).toBe(2);
  return within(screen.getAllByRole('dialog').at(-1) as HTMLElement);
};

test('an edit sends the version and only the fields that differ from the opened row', async () => {
  const { enter, save, inputs, move } = await edit({});
  move({ version: '100' });
  await enter('名称', '新名');
  await save();
  expect(inputs(offer.submit)[0]).toEqual({ id: '7', version: '100', name: '新名' });
});

test('a conflict that concerns no field of the form is resolved by saving again', async () => {
  const { enter, save, inputs, row, messages } = await edit({ status: 2 });
  await enter('名称', '新名');
  await save();
  expect(inputs(offer.submit)).toEqual([
    { id: '7', version: '100', name: '新名' },
    { id: '7', version: '101', name: '新名' },
  ]);
  expect(row().name).toBe('新名');
  expect(messages).toEqual(['success: 更新成功']);
});

test('changes of different fields are both kept with one click', async () => {
  const { enter, save, press, row, inputs } = await edit({ price: 900 });
  await enter('名称', '新名');
  await save();
  const dialog = await panel();
  expect(dialog.getByText(/李四 于 2026-01-02 14:03 保存了此记录。双方修改了不同的内容，均已保留。/)).toBeTruthy();
  expect(dialog.getByText('¥9.00')).toBeTruthy();
  await press(dialog.getByRole('button', { name: '保存合并结果' }));
  expect(inputs(offer.submit).at(-1)).toEqual({ id: '7', version: '101', name: '新名' });
  expect(row()).toMatchObject({ name: '新名', price: 900 });
});

test('a field that both have changed must be chosen, with the values of both and the original', async () => {
  const { enter, save, press, user, row } = await edit({ name: '他的名', price: 900 });
  await enter('名称', '我的名');
  await save();
  const dialog = await panel();
  const confirm = dialog.getByRole('button', { name: '保存合并结果' }) as HTMLButtonElement;
  expect(confirm.disabled).toBe(true);
  expect(dialog.getByText('还有 1 项未选择')).toBeTruthy();
  const name = within(dialog.getByRole('region', { name: '名称' }));
  expect([name.getByText('我的名'), name.getByText('他的名'), name.getByText('旧名')]).toHaveLength(3);
  await user.click(name.getByRole('radio', { name: /李四 的修改/ }));
  await press(confirm);
  expect(row()).toMatchObject({ name: '他的名', price: 900 });
});

test('lines of a text area that do not overlap are merged', async () => {
  const { form, user, save, press, row } = await edit({ note: '第一行改\n第二行\n第三行' });
  await user.type(form.getByLabelText('备注'), '\n第四行');
  await save();
  const dialog = await panel();
  await press(dialog.getByRole('button', { name: '保存合并结果' }));
  expect(row().note).toBe('第一行改\n第二行\n第三行\n第四行');
});

test('a merge that is saved too late shows the next conflict, and a closed panel keeps the input', async () => {
  const { enter, save, press, row, move, form } = await edit({ name: '他的名' });
  await enter('名称', '我的名');
  await save();
  const first = await panel();
  await press(first.getByRole('button', { name: '取消' }));
  expect((form.getByLabelText('名称') as HTMLInputElement).value).toBe('我的名');
  await save();
  const second = await panel();
  move({ places: 30 });
  await press(second.getByRole('radio', { name: /我的修改/ }));
  await press(second.getByRole('button', { name: '保存合并结果' }));
  const third = await panel();
  await third.findByRole('region', { name: '名额' });
  await press(third.getByRole('button', { name: '保存合并结果' }));
  expect(row()).toMatchObject({ name: '我的名', places: 30 });
});

test('the panel is in the language of the console', async () => {
  const { enter, save } = await edit({ name: 'Theirs' }, 'en');
  await enter('Name', 'Mine');
  await save();
  const dialog = await panel();
  expect(dialog.getByText(/李四 saved this record at 2026-01-02 14:03.Choose what to keep:/)).toBeTruthy();
  expect(dialog.getByRole('radio', { name: /Change by 李四/ })).toBeTruthy();
});

test('a form shows who else edits its record and who has saved it, takes unchanged fields over, and merges the others', async () => {
  const live$ = new Subject<{ readonly name: string; readonly payload: unknown }>();
  const live = {
    build$: NEVER,
    stream: ({ name }: { name: string }) =>
      live$.pipe(
        filter((one) => one.name === name),
        map(({ payload }) => payload),
      ),
  };
  const shown = await edit({ price: 900 }, 'zh', [[Live, live]]);
  const { inputs, settle, press, form, enter, unmount } = shown;
  expect(inputs(editing)[0]).toEqual({ entity: 'offer', id: '7', form: expect.any(String) });
  const send = async (token: { name: string }, payload: object) => {
    live$.next({ name: token.name, payload: { entity: 'offer', id: '7', ...payload } });
    await settle();
  };
  await send(RecordEditorsChanged, { editors: ['李四', '王五'] });
  expect(form.getByText('李四、王五 正在编辑')).toBeTruthy();
  await send(RecordEditorsChanged, { editors: [] });
  expect(form.queryByText(/正在编辑/)).toBeNull();
  await send(RecordSaved, { id: '8', changedBy: '李四', changedAt: '2026-01-02 14:03:00' });
  expect(form.queryByText(/保存了此记录/)).toBeNull();

  await send(RecordSaved, { changedBy: '李四', changedAt: '2026-01-02 14:03:00' });
  await press(form.getByRole('button', { name: '查看修改' }));
  expect((form.getByLabelText('价格') as HTMLInputElement).value).toBe('9.00');
  expect(form.queryByText(/保存了此记录/)).toBeNull();

  await enter('名称', '新名');
  shown.move({ places: 30 });
  await send(RecordSaved, { changedBy: '李四', changedAt: '2026-01-02 14:05:00' });
  await press(form.getByRole('button', { name: '查看修改' }));
  const dialog = await panel();
  await press(dialog.getByRole('button', { name: '应用到表单' }));
  expect((form.getByLabelText('名额') as HTMLInputElement).value).toBe('30');
  expect((form.getByLabelText('名称') as HTMLInputElement).value).toBe('新名');
  expect(inputs(offer.submit)).toEqual([]);

  unmount();
  expect(inputs(editing).at(-1)).toMatchObject({ id: '7', ends: true });
});
