import { beforeEach, expect, test } from '@rstest/core';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import dayjs from 'dayjs';
import type { ReactElement } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { of } from 'rxjs';
import { type Call, codes } from '#shared/contract';
import { MenuTree } from '../../../../src/kernel/platform/menu/menu.ts';
import { Differences } from '../../../../src/plugins/payment/console/Differences.tsx';
import PayoutPage from '../../../../src/plugins/payment/console/PayoutPage.tsx';
import PayPage from '../../../../src/plugins/payment/console/PayPage.tsx';
import ReconciliationPage from '../../../../src/plugins/payment/console/ReconciliationPage.tsx';
import RunPage from '../../../../src/plugins/payment/console/RunPage.tsx';
import {
  approvalTotal,
  difference,
  payable,
  paymentRun,
  payout,
  payTotal,
  type ReconciliationRow,
  reconciliation,
} from '../../../../src/plugins/payment/contract.ts';
import PayChannelPage from '../../../../src/plugins/wechat-pay/console/PayChannelPage.tsx';
import { payChannel } from '../../../../src/plugins/wechat-pay/contract.ts';
import { showPage } from '../../../support/crud-screen.tsx';
import { Refused } from '../../../support/scripted-http.ts';

beforeEach(cleanup);

const menu = { state: { status: 'ready', items: [] }, state$: of({ status: 'ready', items: [] }) };
const services = [[MenuTree, menu]] as const;

/** The page in a router, because its rows lead to the proof they pay for. */
const RoutedPayouts = () => (
  <MemoryRouter>
    <PayoutPage />
  </MemoryRouter>
);

/** Returns which of these buttons each row of a page has. */
async function offered(
  page: ReactElement,
  { list, rows, granted, names }: { list: Call; rows: readonly { id: string; name: string }[]; granted: readonly string[]; names: readonly string[] },
) {
  const answer = { records: rows, total: rows.length, totalExact: true, size: 10, current: 1, pages: 1 };
  await showPage(page, { answers: { [list.path]: () => answer }, codes: [list.path, ...granted], services });
  return rows.map(({ name }) => {
    const own = within(screen.getByRole('row', { name: new RegExp(name) }));
    return names.filter((button) => own.queryByRole('button', { name: button }) !== null);
  });
}

test('a payout is approved or refused only while it waits for approval', async () => {
  const rows = [0, 1, 2, 3, 4].map((state) => ({ id: String(state), name: `P-${state}`, payNo: `P-${state}`, state, amount: 100 }));
  expect(await offered(<RoutedPayouts />, { list: payout.list, rows, granted: ['payout_approve'], names: ['复核通过', '驳回'] })).toEqual([
    ['复核通过', '驳回'],
    [],
    [],
    [],
    [],
  ]);
});

test('a confirmation of payment lists its sum and its payees, and nothing is paid without it', async () => {
  const row = { id: '7', taskTitle: '面包视频', nickName: '小王', amount: 850, auditStatus: 1, payStatus: 0 };
  const told = async (confirms: boolean, amount: number | null) => {
    cleanup();
    const sent: unknown[] = [];
    const answers = {
      [payable.list.path]: () => ({ records: [row], total: 1, totalExact: true, size: 10, current: 1, pages: 1 }),
      [payTotal.path]: () => ({ count: 1, people: 1, amount, rows: [] }),
      [payable.pay.path]: (input: unknown) => {
        sent.push(input);
        return { payNo: 'P-1', state: 1, payouts: [] };
      },
    };
    const { messages } = await showPage(<PayPage />, { answers, confirms, codes: [payable.list.path] });
    fireEvent.click(within(screen.getByRole('row', { name: /面包视频/ })).getByRole('button', { name: '付款' }));
    await waitFor(() => expect(messages).toHaveLength(confirms ? 2 : 1));
    return { messages, sent };
  };
  expect(await told(true, 850)).toEqual({
    messages: ['asked: 确定付款 1 笔，共 ¥8.50？收款 1 人。', 'success: 已受理，付款处理中'],
    sent: [{ ids: ['7'], partial: true, expected: { count: 1, amount: 850 } }],
  });
  expect(await told(false, null)).toEqual({ messages: ['asked: 确定付款 1 笔？收款 1 人。'], sent: [] });
});

test('tax that is withheld is shown before payments start, and confirmed with them', async () => {
  const row = { id: '7', taskTitle: '面包视频', nickName: '小王', amount: 850, auditStatus: 1, payStatus: 0 };
  for (const [language, question] of [
    ['zh', 'asked: 确定付款 1 笔，共 ¥8.50？收款 1 人。 其中代扣税款 ¥0.85，实付收款人 ¥7.65。'],
    ['en', 'asked: Pay ¥8.50? Payments: 1, recipients: 1. Tax withheld: ¥0.85. Payees receive ¥7.65.'],
  ] as const) {
    cleanup();
    const answers = {
      [payable.list.path]: () => ({ records: [row], total: 1, totalExact: true, size: 10, current: 1, pages: 1 }),
      [payTotal.path]: () => ({ count: 1, people: 1, amount: 850, withheld: 85, net: 765, rows: [] }),
      [payable.pay.path]: () => ({ payNo: 'P-1', state: 1, payouts: [] }),
    };
    const { messages, http } = await showPage(<PayPage />, { answers, language, codes: [payable.list.path] });
    fireEvent.click(within(screen.getByRole('row', { name: /面包视频/ })).getByRole('button', { name: language === 'zh' ? '付款' : 'Pay' }));
    await waitFor(() => expect(messages).toHaveLength(2));
    expect(messages[0]).toBe(question);
    expect(http.to(payable.pay.path).map(({ input }) => input)).toEqual([{ ids: ['7'], partial: true, expected: { count: 1, amount: 850, withheld: 85 } }]);
  }
});

test('the form of manual payments shows their total and tax, and sends what it has shown; work that cannot be recorded is named instead', async () => {
  const rows = ['1', '2'].map((id) => ({ id, taskTitle: `视频${id}`, nickName: `小王${id}`, amount: 500, auditStatus: 1, payStatus: 0 }));
  const refused = { id: '2', title: '视频2', code: 409, message: '已付款' };
  let left: unknown[] = [refused];
  const answers = {
    [payable.list.path]: () => ({ records: rows, total: 2, totalExact: true, size: 10, current: 1, pages: 1 }),
    [payTotal.path]: () => ({ count: 2, people: 2, amount: 1000, withheld: 100, net: 900, rows: left, needsApproval: true }),
    [payable.payManually.path]: () => ({ payNo: 'P-1', state: 1, payouts: [] }),
  };
  const { messages, http } = await showPage(<PayPage />, { answers, codes: [payable.list.path, 'task_pay_manual'] });
  fireEvent.click(screen.getByRole('checkbox', { name: '选择本页全部' }));
  fireEvent.click(screen.getByRole('button', { name: '登记线下付款' }));
  await waitFor(() => expect(messages).toEqual(['error: 「视频2」不能登记：已付款']));
  expect(screen.queryByRole('dialog')).toBeNull();
  left = [];
  fireEvent.click(screen.getByRole('button', { name: '登记线下付款' }));
  const form = within(await screen.findByRole('dialog', { name: '登记线下付款' }));
  expect(form.getByText(/^共 2 笔，¥10\.00，收款 2 人。 其中代扣税款 ¥1\.00，实付收款人 ¥9\.00。 合计超过/)).toBeTruthy();
  expect(http.to(payTotal.path).map(({ input }) => input)).toEqual(Array(2).fill({ ids: ['1', '2'], manual: true }));
});

test('a confirmation of approval lists them as well, and clears the selection afterwards', async () => {
  const rows = ['1', '2'].map((id) => ({ id, payNo: `P-${id}`, nickName: `小王${id}`, amount: 500, state: 0 }));
  const answers = {
    [payout.list.path]: () => ({ records: rows, total: 2, totalExact: true, size: 10, current: 1, pages: 1 }),
    [approvalTotal.path]: () => ({ count: 2, people: 2, amount: 1000, rows: [] }),
    [payout.approve.path]: () => null,
  };
  const { messages, http } = await showPage(<RoutedPayouts />, { answers, codes: [payout.list.path, 'payout_approve'], services });
  fireEvent.click(screen.getByRole('checkbox', { name: '选择本页全部' }));
  fireEvent.click(screen.getByRole('button', { name: '批量复核' }));
  await waitFor(() => expect(messages).toEqual(['asked: 确定复核通过 2 笔，共 ¥10.00？收款 2 人，通过后即付款。', 'success: 已复核，付款处理中']));
  expect(http.to('/approve').map(({ input }) => input)).toEqual([{ ids: ['1', '2'], partial: true, expected: { count: 2, amount: 1000 } }]);
  await waitFor(() => expect(screen.queryByText(/已选/)).toBeNull());
});

test('tax that is withheld is shown before an approval, of a run and of payouts, and confirmed with it', async () => {
  const page = (rows: readonly unknown[]) => ({ records: rows, total: rows.length, totalExact: true, size: 10, current: 1, pages: 1 });
  const sum = { count: 2, people: 2, amount: 1000, withheld: 100, net: 900, rows: [] };
  const expected = { count: 2, amount: 1000, withheld: 100 };
  const answers = {
    [payout.list.path]: () => page([{ id: '1', payNo: 'P-1', nickName: '小王', amount: 500, state: 0 }]),
    [approvalTotal.path]: () => sum,
    [payout.approve.path]: () => null,
    [paymentRun.list.path]: () => page([{ id: '7', runNo: 'B-7', name: 'B-7', state: 0, failed: 0, createUser: 'another' }]),
    [paymentRun.total.path]: () => sum,
    [paymentRun.approve.path]: () => ({ count: 2 }),
  };
  const question = 'asked: 确定复核通过 2 笔，共 ¥10.00？收款 2 人，通过后即付款。 其中代扣税款 ¥1.00，实付收款人 ¥9.00。';
  const approve = async (shown: ReactElement, listPath: string, row: RegExp) => {
    cleanup();
    const { messages, http } = await showPage(shown, { answers, codes: [listPath, 'payout_approve'], services });
    fireEvent.click(within(screen.getByRole('row', { name: row })).getByRole('button', { name: '复核通过' }));
    await waitFor(() => expect(messages).toEqual([question, 'success: 已复核，付款处理中']));
    return http.to('/approve').map(({ input }) => input);
  };
  expect(await approve(<RoutedPayouts />, payout.list.path, /小王/)).toEqual([{ ids: ['1'], partial: true, expected }]);
  const runs = (
    <MemoryRouter>
      <RunPage />
    </MemoryRouter>
  );
  expect(await approve(runs, paymentRun.list.path, /B-7/)).toEqual([{ id: '7', expected }]);
});

test('a run is approved and paid again after a question, and nothing is sent without its answer', async () => {
  const rows = [
    { id: '1', runNo: 'B-1', name: 'B-1', state: 0, failed: 0, createUser: 'another' },
    { id: '2', runNo: 'B-2', name: 'B-2', state: 3, failed: 2, createUser: 'another' },
  ];
  const press = async (confirms: boolean, run: string, button: string) => {
    cleanup();
    const answers = {
      [paymentRun.list.path]: () => ({ records: rows, total: 2, totalExact: true, size: 10, current: 1, pages: 1 }),
      [paymentRun.total.path]: () => ({ count: 2, people: 1, amount: 1000, rows: [] }),
      [paymentRun.approve.path]: () => ({ count: 2 }),
      [paymentRun.retry.path]: () => ({ done: 2, total: 2, rows: [] }),
      [paymentRun.close.path]: () => null,
    };
    const page = (
      <MemoryRouter>
        <RunPage />
      </MemoryRouter>
    );
    const granted = [paymentRun.list.path, 'payout_approve', 'task_pay'];
    const { messages, http } = await showPage(page, { answers, confirms, codes: granted, services });
    fireEvent.click(within(screen.getByRole('row', { name: new RegExp(run) })).getByRole('button', { name: button }));
    await waitFor(() => expect(messages).toHaveLength(confirms ? 2 : 1));
    return { messages, sent: http.sent.filter(({ path }) => /approve$|retry$|close$/.test(path)).map(({ input }) => input) };
  };
  expect(await press(true, 'B-1', '复核通过')).toEqual({
    messages: ['asked: 确定复核通过 2 笔，共 ¥10.00？收款 1 人，通过后即付款。', 'success: 已复核，付款处理中'],
    sent: [{ id: '1', expected: { count: 2, amount: 1000 } }],
  });
  expect((await press(false, 'B-1', '复核通过')).sent).toEqual([]);
  expect((await press(false, 'B-2', '重付失败项')).sent).toEqual([]);
  expect((await press(true, 'B-2', '重付失败项')).sent).toEqual([{ id: '2' }]);
});

test('payments are confirmed without those that the server will leave out, and again when their total has changed', async () => {
  const rows = ['1', '2', '3'].map((id) => ({ id, taskTitle: `视频${id}`, nickName: `小王${id}`, amount: 500, auditStatus: 1, payStatus: 0 }));
  const refused = { id: '3', title: '视频3', code: 409, message: '小王3 没有绑定微信，不能付款' };
  let payableCount = 2;
  const answers = {
    [payable.list.path]: () => ({ records: rows, total: 3, totalExact: true, size: 10, current: 1, pages: 1 }),
    [payTotal.path]: () => ({ count: payableCount, people: payableCount, amount: payableCount * 500, rows: [refused] }),
    [payable.pay.path]: ({ expected }: { expected?: { count: number } }) => {
      if (payableCount === expected?.count)
        return { payNo: 'P-1', state: 1, payouts: [{ id: '1', payNo: 'P-1', state: 1 }], done: 1, total: 3, rows: [refused] };
      return new Refused(409, '可付款的内容已有变化', { details: { count: payableCount, people: 1, amount: 500 } });
    },
  };
  const { messages, questions, http } = await showPage(<PayPage />, { answers, codes: [payable.list.path] });
  fireEvent.click(screen.getByRole('checkbox', { name: '选择本页全部' }));
  fireEvent.click(screen.getByRole('button', { name: '批量付款' }));
  await waitFor(() => expect(messages).toContain('asked: 确定付款 2 笔，共 ¥10.00？收款 2 人。 另有 1 项不能处理，完成后列出原因。'));
  expect(await screen.findByRole('dialog', { name: '已完成 1 / 3，1 项未处理' })).toBeTruthy();
  expect(questions).toHaveLength(1);
  cleanup();
  payableCount = 1;
  const stale = [2, 1];
  const again = await showPage(<PayPage />, {
    answers: { ...answers, [payTotal.path]: () => ({ count: stale[0], people: 1, amount: 500 * (stale.shift() ?? 0), rows: [] }) },
    codes: [payable.list.path],
  });
  fireEvent.click(screen.getByRole('checkbox', { name: '选择本页全部' }));
  fireEvent.click(screen.getByRole('button', { name: '批量付款' }));
  await waitFor(() => expect(again.http.to(payable.pay.path)).toHaveLength(2));
  expect(again.messages.filter((text) => text.startsWith('asked'))).toEqual([
    'asked: 确定付款 2 笔，共 ¥10.00？收款 1 人。',
    'asked: 确定付款 1 笔，共 ¥5.00？收款 1 人。',
  ]);
  expect(http.to(payable.pay.path)).toHaveLength(1);
});

test('a difference is resolved while it is open', async () => {
  const rows = [0, 1, 2].map((state) => ({ id: String(state), name: `D-${state}`, payNo: `D-${state}`, kind: 1, state }));
  const page = <Differences reconciliation={{ id: '1', day: '2026-01-01' } as ReconciliationRow} />;
  expect(await offered(page, { list: difference.list, rows, granted: ['reconciliation_handle'], names: ['查询渠道', '关闭'] })).toEqual([
    ['查询渠道', '关闭'],
    [],
    [],
  ]);
});

test('a day that was compared before its end is not finished on the days after, and comparing says so', async () => {
  const early = {
    id: '1',
    name: 'early',
    day: '2026-01-03',
    state: 0,
    comparedTime: '2026-01-03 15:00:00',
    ourCount: 1,
    theirCount: 1,
    differences: 0,
    open: 0,
  };
  const answers = {
    [reconciliation.list.path]: () => ({ records: [early], total: 1, totalExact: true, size: 10, current: 1, pages: 1 }),
    [reconciliation.compare.path]: () => early,
  };
  const { messages } = await showPage(<ReconciliationPage />, { answers, codes: [reconciliation.list.path, 'reconciliation_compare'], services });
  const row = within(screen.getByRole('row', { name: /2026-01-03/ }));
  expect(row.getByText('未结束')).toBeTruthy();
  fireEvent.click(row.getByRole('button', { name: '重新核对' }));
  await waitFor(() => expect(messages).toEqual(['warning: 当天还未结束，结束后会再次核对']));
});

test('the running day is not finished whatever it matches, and only days with differences lead to them', async () => {
  const today = dayjs().format('YYYY-MM-DD');
  const counts = { ourCount: 2, theirCount: 2, ourAmount: 300, theirAmount: 300, differences: 0, open: 0 };
  const rows = [
    { ...counts, day: today, state: 1 },
    { ...counts, day: '2026-01-02', state: 1, ourCount: 0, theirCount: 0 },
    { ...counts, day: '2026-01-01', state: 2, differences: 2, open: 1 },
  ].map((row, index) => ({ ...row, id: String(index), name: row.day }));
  expect(await offered(<ReconciliationPage />, { list: reconciliation.list, rows, granted: [], names: ['差异'] })).toEqual([[], [], ['差异']]);
  const row = (name: string) => screen.getByRole('row', { name: new RegExp(name) });
  expect(within(row(today)).getByText('未结束')).toBeTruthy();
  expect(within(row('2026-01-02')).getByText('相符')).toBeTruthy();
  expect(row('2026-01-02').className).not.toBe(row('2026-01-01').className);
});

test('an enabled provider can be disabled and not deleted; a disabled one can be enabled or deleted', async () => {
  const rows = [1, 2].map((status) => ({ id: String(status), name: `商户${status}`, mchId: '1900000001', status }));
  const granted = [...Object.values(codes('pay_channel')), 'pay_channel_enable'];
  expect(await offered(<PayChannelPage />, { list: payChannel.list, rows, granted, names: ['启用', '停用', '删除'] })).toEqual([['启用', '删除'], ['停用']]);
});
