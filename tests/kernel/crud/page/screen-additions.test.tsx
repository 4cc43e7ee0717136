import { beforeEach, expect, test } from '@rstest/core';
import { cleanup, screen, within } from '@testing-library/react';
import { Dict, dict } from '#plugins/dictionary/contract';
import { type Param, param } from '#plugins/settings/contract';
import { codes, type RowOf } from '#shared/contract';
import { useService } from '../../../../src/kernel/base/react/services.tsx';
import type { ScreenAdditionOf } from '../../../../src/kernel/crud/page/screen-additions.ts';
import { addToScreen } from '../../../../src/kernel/crud/page/screen-additions.ts';
import { TransportError } from '../../../../src/kernel/platform/http/transport-error.ts';
import { type RegisteredContribution, Slots } from '../../../../src/kernel/ui/slots/slots.ts';
import { expectConsoleError } from '../../../support/console-errors.ts';
import { type ScreenOptions, showCrud } from '../../../support/crud-screen.tsx';

type ParamRow = RowOf<typeof Param>;

class Points {
  of(row: ParamRow): number {
    return Number(row.paramValue) * 100;
  }
}

function PointsCell({ row }: { readonly row: ParamRow }) {
  return <b>{useService(Points).of(row)} 分</b>;
}

function BrokenCell({ row }: { readonly row: ParamRow }) {
  if (row.id === '1') throw new Error('cell');
  return <>好</>;
}

const answers: ScreenOptions['answers'] = {
  '/api/blade-system/param/list': () => ({
    records: [1, 2].map((number) => ({ id: String(number), paramName: `参数${number}`, paramKey: `key.${number}`, paramValue: `${number}` })),
    total: 2,
    totalExact: true,
    size: 10,
    current: 1,
    pages: 1,
  }),
};

/** Creates the slots that the plugin `loyalty` fills, and collects the errors that are reported for it. */
function slotsWith(...additions: (() => Promise<{ default: ScreenAdditionOf<ParamRow> }>)[]) {
  const reported: string[] = [];
  const slots = new Slots((pluginId, error) => reported.push(`${pluginId}: ${(error as Error).message}`));
  const points = new Points();
  const services = { get: () => points as never };
  const fillings = additions.map(
    (load): RegisteredContribution => ({ ...addToScreen('param', load as never), pluginId: 'loyalty', pluginTitle: ['积分', 'Loyalty'], services }),
  );
  slots.setContributions(fillings);
  return { slots, reported };
}

const given = (addition: ScreenAdditionOf<ParamRow>) => async () => ({ default: addition });
const titles = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent);

const SaidCell = () => '已加分';

beforeEach(() => {
  cleanup();
  localStorage.clear();
});

test('columns, overrides and actions of another plugin are on a screen, with the services of that plugin', async () => {
  const done: string[] = [];
  const { slots, reported } = slotsWith(
    given(({ get }) => ({
      columns: {
        points: { title: ['积分', 'Points'], isNumber: true, Cell: PointsCell },
        said: { title: ['说明', 'In words'], Cell: SaidCell },
      },
      overrides: { paramKey: { render: ({ paramKey }) => <i>{paramKey.toUpperCase()}</i> } },
      actions: {
        row: [{ title: ['加分', 'Reward'], when: ({ id }) => id === '2', onClick: (row) => done.push(`${get(Points).of(row)}`) }],
        toolbar: [{ title: ['结算', 'Settle'], onClick: (ids) => done.push(`settle ${ids.length}`) }],
      },
    })),
  );
  const { press } = await showCrud({ crud: param }, { answers, slots });
  expect(titles()).toContain('积分');
  expect(screen.getByRole('cell', { name: '200 分' })).toBeTruthy();
  const isNumber = (name: string) => screen.getAllByRole('cell', { name })[0]?.classList.contains('crud-table__number');
  expect([isNumber('200 分'), isNumber('已加分')]).toEqual([true, false]);
  expect(screen.getByRole('cell', { name: 'KEY.1' })).toBeTruthy();
  expect(screen.getAllByRole('button', { name: '加分' })).toHaveLength(1);
  await press(within(screen.getByRole('row', { name: /参数2/ })).getByRole('button', { name: '加分' }));
  await press(screen.getByRole('button', { name: '结算' }));
  expect(done).toEqual(['200', 'settle 0']);
  expect(reported).toEqual([]);
});

test('an action on a row, on the list or on several rows that gets no answer shows a toast', async () => {
  const offline = async () => {
    throw new TransportError('offline');
  };
  const title = ['加分', 'Reward'] as const;
  const { slots } = slotsWith(
    given(() => ({
      actions: {
        row: [
          { title, onClick: offline },
          { title: ['批量', 'Batch'], onClick: ({ id }, { batch }) => void batch([id], { title, done: title, send: offline }) },
        ],
        toolbar: [{ title: ['结算', 'Settle'], onClick: offline }],
      },
    })),
  );
  const { press, messages } = await showCrud({ crud: param }, { answers, slots });
  const row = within(screen.getByRole('row', { name: /参数2/ }));
  for (const button of [row.getByRole('button', { name: '加分' }), row.getByRole('button', { name: '批量' }), screen.getByRole('button', { name: '结算' })])
    await press(button);
  expect(messages).toEqual(Array.from({ length: 3 }, () => 'error: 网络已断开，请检查网络连接'));
});

test('an addition that fails to load is reported and skipped; a failing cell shows an error', async () => {
  expectConsoleError(/Error: cell/);
  const { slots, reported } = slotsWith(
    () => Promise.reject(new Error('gone')),
    given(() => ({
      columns: {
        broken: {
          title: ['坏', 'Broken'],
          Cell: BrokenCell,
        },
      },
    })),
  );
  await showCrud({ crud: param }, { answers, slots });
  expect(screen.getByRole('cell', { name: '参数1' })).toBeTruthy();
  expect(screen.getByRole('alert').textContent).toContain('「积分」在此处的内容无法显示');
  expect(screen.getByRole('cell', { name: '好' })).toBeTruthy();
  expect(reported[0]).toBe('loyalty: gone');
  expect(new Set(reported.slice(1))).toEqual(new Set(['loyalty: cell']));
});

test('additions of a plugin are removed with it', async () => {
  const { slots } = slotsWith(given(() => ({ columns: { points: { title: ['积分', 'Points'], Cell: PointsCell } } })));
  const { settle } = await showCrud({ crud: param }, { answers, slots });
  expect(titles()).toContain('积分');
  slots.setContributions([]);
  await settle();
  expect(titles()).not.toContain('积分');
  expect(screen.getByRole('cell', { name: '参数1' })).toBeTruthy();
});

test('a summary of another plugin stands in an opened record, and an action adds a row of another entity for it', async () => {
  const { slots } = slotsWith(
    given(() => ({
      Summary: ({ row }) => <p>{`摘要 ${row.paramName}`}</p>,
      actions: {
        row: [
          {
            title: ['登记', 'Record'],
            onClick: ({ id, paramName }, { openRowAction }) =>
              openRowAction({ id } as ParamRow, {
                title: [`登记：${paramName}`, `Record: ${paramName}`],
                confirm: ['保存', 'Save'],
                done: ['已登记', 'Recorded'],
                call: dict.submit,
                entity: Dict,
                fields: ['dictKey', 'dictValue'],
                input: { parentId: id },
              }),
          },
        ],
      },
    })),
  );
  const detail = () => ({ id: '2', paramName: '参数2', paramKey: 'key.2', paramValue: '2' });
  const { press, user, inputs, settle } = await showCrud(
    { crud: param },
    { answers: { ...answers, [param.detail.path]: detail, [dict.submit.path]: () => ({ id: '9' }) }, slots, codes: Object.values(codes('param')) },
  );
  await press(within(screen.getByRole('row', { name: /参数2/ })).getByRole('button', { name: '登记' }));
  const form = within(await screen.findByRole('dialog'));
  expect(form.getByText('登记：参数2')).toBeTruthy();
  expect(form.queryByRole('button', { name: '保存并新增' })).toBeNull();
  await user.type(form.getByLabelText('字典键值'), 'k');
  await user.type(form.getByLabelText('字典名称'), '名');
  await press(form.getByRole('button', { name: '保存' }));
  await settle();
  expect(inputs(dict.submit)).toEqual([{ dictKey: 'k', dictValue: '名', parentId: '2' }]);
  await press(screen.getByRole('button', { name: '参数2' }));
  expect(await screen.findByText('摘要 参数2')).toBeTruthy();
});
