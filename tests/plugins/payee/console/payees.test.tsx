import { beforeEach, expect, test } from '@rstest/core';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import PayeePage from '../../../../src/plugins/payee/console/PayeePage.tsx';
import { payee } from '../../../../src/plugins/payee/contract.ts';
import { showPage } from '../../../support/crud-screen.tsx';

beforeEach(cleanup);

const codes = [payee.list.path, 'payee_verify', 'payee_reveal', 'payee_edit'];
const payees = [
  { id: '7', nickName: '小王', name: '王一', identityBy: '2' },
  { id: '8', nickName: '小李', name: '李二', identityBy: '1' },
  { id: '1', nickName: '本人', name: '自己', identityBy: '2' },
].map((row) => ({ state: 0, userId: row.id, documentMask: '1***1', alipayMask: '138****0002', bankMask: null, version: `1${row.id}`, ...row }));
const list = () => ({ records: payees, total: payees.length, totalExact: true, size: 10, current: 1, pages: 1 });
const row = (name: string) => within(screen.getByRole('row', { name: new RegExp(name) }));
const verifyButton = (name: string) => row(name).queryByRole('button', { name: '核验通过' });

test('users are not offered to verify themselves, or an identity that they have entered; the version on the screen is sent', async () => {
  const { http, messages } = await showPage(<PayeePage />, { answers: { [payee.list.path]: list, [payee.verify.path]: () => null }, codes });
  expect(['王一', '李二', '自己'].map((name) => verifyButton(name) !== null)).toEqual([true, false, false]);
  fireEvent.click(verifyButton('王一') as HTMLElement);
  await waitFor(() => expect(messages).toContain('success: 已核验'));
  expect(http.to(payee.verify.path).map(({ input }) => input)).toEqual([{ id: '7', version: '17' }]);
});

test('a user who has revealed the numbers verifies the version that has them', async () => {
  const numbers = { version: '99', documentNo: 'P1234567', alipayAccount: null, bankCard: null };
  const answers = { [payee.list.path]: list, [payee.verify.path]: () => null, [payee.reveal.path]: () => numbers };
  const { http } = await showPage(<PayeePage />, { answers, codes });
  const lists = () => http.to(payee.list.path).length;
  const before = lists();
  fireEvent.click(await openAction('王一', '查看完整号码'));
  fireEvent.change(await screen.findByLabelText('登录密码'), { target: { value: 'secret' } });
  fireEvent.click(screen.getByRole('button', { name: '查看' }));
  expect(await screen.findByText('P1234567')).toBeTruthy();
  expect(lists()).toBeGreaterThan(before);
  fireEvent.click(screen.getByRole('button', { name: '关闭' }));
  for (const sent of [1, 2]) {
    fireEvent.click(verifyButton('王一') as HTMLElement);
    await waitFor(() => expect(http.to(payee.verify.path)).toHaveLength(sent));
  }
  // Only the review after the reveal is about its version.
  expect(http.to(payee.verify.path).map(({ input }) => input)).toEqual([
    { id: '7', version: '99' },
    { id: '7', version: '17' },
  ]);
});

/** Returns the button of an action in a row, which may be in its menu. */
async function openAction(name: string, title: string): Promise<HTMLElement> {
  const button = row(name).queryByRole('button', { name: title });
  if (button) return button;
  fireEvent.click(row(name).getByRole('button', { name: /更多/ }));
  return screen.findByRole('menuitem', { name: title });
}

test('a stored number is removed by a choice that says what it means; a form that leaves it empty keeps it', async () => {
  const saved: unknown[] = [];
  const answers = {
    [payee.list.path]: list,
    [payee.detail?.path ?? '']: () => payees[0],
    [payee.submit?.path ?? '']: (input: unknown) => {
      saved.push(input);
      return payees[0];
    },
  };
  await showPage(<PayeePage />, { answers, codes });
  fireEvent.click(row('王一').getByRole('button', { name: '编辑' }));
  const removal = await screen.findByRole('checkbox', { name: '清除已保存的支付宝账号' });
  // Only a stored number can be removed.
  expect(screen.queryByRole('checkbox', { name: /银行卡号/ })).toBeNull();
  const input = screen.getByPlaceholderText('138****0002') as HTMLInputElement;
  expect(screen.queryByText(/不再向它付款/)).toBeNull();
  fireEvent.click(removal);
  expect(await screen.findByText(/不再向它付款，该收款人须重新核验/)).toBeTruthy();
  expect(input.disabled).toBe(true);
  fireEvent.click(removal);
  expect(input.disabled).toBe(false);
  fireEvent.click(removal);
  fireEvent.click(screen.getByRole('button', { name: /保\s*存/ }));
  await waitFor(() => expect(saved).toEqual([{ id: '7', version: '17', alipayAccount: null }]));
});
