import { beforeEach, expect, test } from '@rstest/core';
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { crud, entity, type RowOf } from '#shared/contract';
import { extendEntity } from '#shared/entity-extension';
import { Id, Integer, Nullable, Select, Text } from '#shared/fields';
import type { InputProps } from '../../../../src/kernel/crud/model/crud-screen.ts';
import type { ScreenAdditionOf } from '../../../../src/kernel/crud/page/screen-additions.ts';
import { addToScreen } from '../../../../src/kernel/crud/page/screen-additions.ts';
import { Slots } from '../../../../src/kernel/ui/slots/slots.ts';
import { contributionsOf } from '../../../../src/plugins/inspector/console/inspection.ts';
import { rowTitles, showCrud } from '../../../support/crud-screen.tsx';

const size = ['尺寸', 'Size'] as const;
const Lamp = entity('lamp', {
  id: Id(),
  name: Text({ title: ['名称', 'Name'] }),
  height: Integer({ title: ['高', 'Height'], group: size }),
  remark: Nullable(Text({ title: ['备注', 'Remark'] })),
});
const lamp = crud('/api/test/lamp', Lamp);
const Points = extendEntity('loyalty', Lamp, {
  adds: {
    points: Nullable(Integer({ title: ['积分', 'Points'], minimum: 1, maximum: 9 })),
    way: Nullable(
      Select({
        title: ['发放', 'Given'],
        group: size,
        list: false,
        options: [
          [1, ['按件', 'Each']],
          [2, ['按月', 'Monthly']],
        ],
      }),
    ),
  },
});

const row = { id: '7', name: '台灯', height: 40, remark: null, 'loyalty:points': 5, 'loyalty:way': 2 };
const answers = {
  '/api/test/lamp/list': () => ({ records: [row], total: 1, totalExact: true, size: 10, current: 1, pages: 1 }),
  '/api/test/lamp/detail': () => row,
  '/api/test/lamp/submit': (input: object) => ({ ...row, ...input }),
};
const codes = ['lamp', 'lamp_add', 'lamp_edit', 'lamp_view', 'lamp_export'];

function slotsWith(addition: ScreenAdditionOf<RowOf<typeof Lamp>>): Slots {
  const slots = new Slots(() => undefined);
  const services = { get: () => undefined as never };
  slots.setContributions([{ ...addToScreen('lamp', async () => ({ default: addition })), pluginId: 'loyalty', pluginTitle: ['积分', 'Loyalty'], services }]);
  return slots;
}
function Dial({ id, value, disabled, onChange, field }: InputProps) {
  return (
    <input
      id={id}
      aria-label={`dial ${field.name}`}
      type="range"
      value={String(value)}
      disabled={disabled}
      onChange={({ target }) => onChange(Number(target.value))}
    />
  );
}
const FivePoints = () => '五分';
const labels = () => [...document.querySelectorAll('.crud-form__label')].map(({ textContent }) => textContent);

beforeEach(() => {
  cleanup();
  localStorage.clear();
});

test('fields of another plugin are in table and form, each in its group, and are validated and sent with the row', async () => {
  const { press, inputs, user } = await showCrud({ crud: lamp }, { answers, codes, slots: slotsWith(() => ({ fields: Points })) });
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toContain('积分');
  expect(screen.queryByRole('columnheader', { name: '发放' })).toBeNull();
  expect(screen.getByRole('cell', { name: '5' })).toBeTruthy();

  await press(screen.getByRole('button', { name: '编辑' }));
  await screen.findByRole('spinbutton', { name: '积分' });
  expect(labels()).toEqual(['名称', '高', '发放', '备注', '积分']);
  const points = screen.getByRole('spinbutton', { name: '积分' });
  await user.clear(points);
  await user.type(points, '3');
  await press(screen.getByRole('button', { name: '保存' }));
  expect(inputs(lamp.submit)).toEqual([{ id: '7', name: '台灯', height: 40, remark: null, 'loyalty:points': 3, 'loyalty:way': 2 }]);
});

test('a screen with a list of fields also shows added ones, a view reads them, and a copy starts with them', async () => {
  const fields = ['height', 'name'] as const;
  const { press, inputs } = await showCrud({ crud: lamp, fields: [...fields] }, { answers, codes, slots: slotsWith(() => ({ fields: Points })) });
  await press(rowTitles()[0] as HTMLElement);
  const dialog = await screen.findByRole('dialog');
  expect(within(dialog).getByText('发放').nextElementSibling?.textContent).toBe('按月');
  await press(within(dialog).getByRole('button', { name: '更多操作' }));
  await press(await screen.findByRole('menuitem', { name: '复制为新数据' }));
  await screen.findByRole('spinbutton', { name: '积分' });
  expect(labels()).toEqual(['高', '发放', '名称', '积分']);
  await press(screen.getByRole('button', { name: '保存' }));
  expect(inputs(lamp.submit)).toEqual([{ name: '台灯', height: 40, remark: null, 'loyalty:points': 5, 'loyalty:way': 2 }]);
});

test('a column override for an added field renders it, and is removed with the plugin', async () => {
  const slots = slotsWith(() => ({ fields: Points, columns: { points: { title: ['积分', 'Points'], Cell: FivePoints } } }));
  const { press, settle } = await showCrud({ crud: lamp }, { answers, codes, slots });
  expect(screen.getAllByRole('columnheader', { name: '积分' })).toHaveLength(1);
  expect(screen.getByRole('cell', { name: '五分' })).toBeTruthy();
  slots.setContributions([]);
  await settle();
  expect(screen.queryByRole('columnheader', { name: '积分' })).toBeNull();
  await press(screen.getByRole('button', { name: '编辑' }));
  await screen.findByRole('spinbutton', { name: '高' });
  expect(labels()).toEqual(['名称', '高', '备注']);
});

const Strict = extendEntity('loyalty', Lamp, { tightens: { name: { maxLength: 3 }, remark: { required: true } } });

test('a field is changed, replaced, hidden, read-only or restricted, and is restored when the plugin stops', async () => {
  const slots = slotsWith(() => ({
    fields: Strict,
    inputs: { name: { title: ['灯名', 'Called'], help: ['最多三个字', 'Three letters'] }, height: { Control: Dial }, remark: { readOnly: true, hidden: true } },
  }));
  const { press, inputs, settle } = await showCrud({ crud: lamp }, { answers, codes, slots });
  expect(screen.getByRole('columnheader', { name: '名称' })).toBeTruthy();
  await press(screen.getByRole('button', { name: '编辑' }));
  const dial = await screen.findByRole('slider', { name: 'dial height' });
  // Required fields are never hidden.
  expect(labels()).toEqual(['灯名', '高', '备注']);
  expect(screen.getByText('最多三个字')).toBeTruthy();
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: '备注' }).disabled).toBe(true);
  fireEvent.change(dial, { target: { value: '55' } });
  await press(screen.getByRole('button', { name: '保存' }));
  expect(inputs(lamp.submit)).toEqual([]);
  expect(screen.getAllByText('请输入备注').length).toBeGreaterThan(0);

  const kinds = contributionsOf({ states: [], definitions: [], slots: slots.all, listeners: new Map() }).map(({ kind, what }) => `${kind[1]}: ${what}`);
  expect(kinds).toEqual(expect.arrayContaining(['Stricter field validation: screen:lamp · name', 'Replaced form field: screen:lamp · height']));

  slots.setContributions([]);
  await settle();
  expect(labels()).toEqual(['名称', '高', '备注']);
  expect(screen.queryByRole('slider')).toBeNull();
});

test('a hidden field is sent unchanged', async () => {
  const { press, inputs } = await showCrud(
    { crud: lamp },
    { answers, codes, slots: slotsWith(() => ({ inputs: { remark: { hidden: true }, height: { readOnly: true } } })) },
  );
  await press(screen.getByRole('button', { name: '编辑' }));
  await screen.findByRole('spinbutton', { name: '高' });
  expect(labels()).toEqual(['名称', '高']);
  await press(screen.getByRole('button', { name: '保存' }));
  expect(inputs(lamp.submit)).toEqual([{ id: '7', name: '台灯', height: 40, remark: null }]);
});
