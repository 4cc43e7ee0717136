import { beforeEach, expect, test } from '@rstest/core';
import { cleanup, screen, within } from '@testing-library/react';
import type { ReactElement } from 'react';
import { type Call, codes } from '#shared/contract';
import { Differences } from '../../../../src/plugins/payment/console/Differences.tsx';
import PayChannelPage from '../../../../src/plugins/payment/console/PayChannelPage.tsx';
import PayoutPage from '../../../../src/plugins/payment/console/PayoutPage.tsx';
import { difference, payChannel, payout, type ReconciliationRow } from '../../../../src/plugins/payment/contract.ts';
import { showPage } from '../../../support/crud-screen.tsx';

beforeEach(cleanup);

/** Which of these buttons each row of a page has. */
async function offered(
  page: ReactElement,
  { list, rows, granted, names }: { list: Call; rows: readonly { id: string; name: string }[]; granted: readonly string[]; names: readonly string[] },
) {
  const answer = { records: rows, total: rows.length, totalExact: true, size: 10, current: 1, pages: 1 };
  await showPage(page, { answers: { [list.path]: () => answer }, codes: [list.path, ...granted] });
  return rows.map(({ name }) => {
    const own = within(screen.getByRole('row', { name: new RegExp(name) }));
    return names.filter((button) => own.queryByRole('button', { name: button }) !== null);
  });
}

test('a payout is approved or refused while it waits for that, and never after', async () => {
  const rows = [0, 1, 2, 3, 4].map((state) => ({ id: String(state), name: `P-${state}`, payNo: `P-${state}`, state, amount: 100 }));
  expect(await offered(<PayoutPage />, { list: payout.list, rows, granted: ['payout_approve'], names: ['复核通过', '驳回'] })).toEqual([
    ['复核通过', '驳回'],
    [],
    [],
    [],
    [],
  ]);
});

test('a difference is dealt with while it is open', async () => {
  const rows = [0, 1, 2].map((state) => ({ id: String(state), name: `D-${state}`, payNo: `D-${state}`, kind: 1, state }));
  const page = <Differences of={{ id: '1', day: '2026-01-01' } as ReconciliationRow} />;
  expect(await offered(page, { list: difference.list, rows, granted: ['reconciliation_handle'], names: ['查询渠道', '关闭'] })).toEqual([
    ['查询渠道', '关闭'],
    [],
    [],
  ]);
});

test('a provider that is on is turned off and stays; one that is off is turned on or deleted', async () => {
  const rows = [1, 2].map((status) => ({ id: String(status), name: `商户${status}`, mchId: '1900000001', status }));
  const granted = [...Object.values(codes('pay_channel')), 'pay_channel_enable'];
  expect(await offered(<PayChannelPage />, { list: payChannel.list, rows, granted, names: ['启用', '停用', '删除'] })).toEqual([['启用', '删除'], ['停用']]);
});
