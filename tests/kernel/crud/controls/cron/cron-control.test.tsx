import { beforeEach, expect, test } from '@rstest/core';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { crud, entity } from '../../../../../src/shared/contract/contract.ts';
import { Cron, Id, Text } from '../../../../../src/shared/contract/fields.ts';
import { showCrud } from '../../../../support/crud-screen.tsx';

const alarm = crud('/api/shop/alarm', entity('alarm', { id: Id(), name: Text({ title: ['名称', 'Name'] }), cron: Cron({ title: ['周期', 'Schedule'] }) }));
const row = { id: '1', name: '早', cron: '0 0/5 * * * ?' };

beforeEach(cleanup);

test('a number out of bounds stays as it is typed, names its bounds and is not saved', async () => {
  const { press, settle, http } = await showCrud(
    { crud: alarm },
    {
      codes: ['alarm', 'alarm_edit'],
      answers: {
        '/api/shop/alarm/list': () => ({ records: [row], total: 1, totalExact: true, size: 10, current: 1, pages: 1 }),
        '/api/shop/alarm/detail': () => row,
        '/api/shop/alarm/submit': (input: object) => ({ ...row, ...input }),
      },
    },
  );
  await press(screen.getByRole('button', { name: '编辑' }));
  const number = await screen.findByRole('spinbutton', { name: '间隔（分钟）' }, { timeout: 20_000 });
  const type = async (text: string) => {
    fireEvent.change(number, { target: { value: text } });
    fireEvent.blur(number);
    await settle();
  };
  await type('75');
  expect((number as HTMLInputElement).value).toBe('75');
  expect(screen.getByText('间隔（分钟）须在1到59之间')).toBeTruthy();
  await press(screen.getByRole('button', { name: '保存' }));
  expect(http.to('/submit')).toEqual([]);
  await type('');
  expect(screen.getByText('请输入间隔（分钟）')).toBeTruthy();
  await type('20');
  expect(screen.queryByText(/须在1到59之间|请输入间隔/)).toBeNull();
  await press(screen.getByRole('button', { name: '保存' }));
  await waitFor(() => expect(http.to('/submit').map(({ input }) => (input as { cron: string }).cron)).toEqual(['0 0/20 * * * ?']));
});
