import { afterEach, expect, test } from '@rstest/core';
import { cleanup, screen, waitFor } from '@testing-library/react';
import PersonPage from '../../../../src/plugins/privacy/console/PersonPage.tsx';
import { personCalls } from '../../../../src/plugins/privacy/contract.ts';
import { showPage } from '../../../support/crud-screen.tsx';
import { Refused } from '../../../support/scripted-http.ts';

afterEach(() => {
  cleanup();
  localStorage.clear();
});

const report = {
  person: { userId: '5', account: 'zhangsan', name: '张三', phones: ['139****5678'], emails: [] },
  records: [
    { plugin: 'organization', title: ['用户账号', 'User account'], erased: 1, isDeleted: false, kept: 0, reason: null, until: null },
    { plugin: 'payment', title: ['付款单', 'Payouts'], erased: 0, isDeleted: false, kept: 3, reason: ['须保存', 'Required'], until: ['30 年', '30 years'] },
  ],
  files: { erased: 2, kept: 0 },
};
const answers = { [personCalls.plan.path]: () => report, [personCalls.erase.path]: () => report };

test('a person is found, and erased once the name is entered', async () => {
  const { user, press, inputs, messages } = await showPage(<PersonPage />, { codes: ['person', 'person_erase'], answers });
  await user.type(screen.getByLabelText('账号', { selector: 'input[autocomplete]' }), 'zhangsan{Enter}');
  await screen.findByRole('heading', { name: '张三 的个人数据' });
  screen.getByRole('row', { name: /付款单 0 3 须保存 30 年/ });
  expect(screen.queryByRole('button', { name: '导出' })).toBeNull();
  await press(screen.getByRole('button', { name: '删除个人数据' }));
  const [confirm] = screen.getAllByRole('button', { name: '删除个人数据' }).slice(-1);
  expect((confirm as HTMLButtonElement).disabled).toBe(true);
  await user.type(screen.getByLabelText('输入“张三”确认'), '张三');
  await press(confirm as HTMLElement);
  await waitFor(() => expect(messages).toContain('success: 个人数据已删除'));
  expect(inputs(personCalls.erase)).toEqual([{ account: 'zhangsan', confirmation: '张三' }]);
});

test('the person of an earlier search is shown neither during the next search nor if that finds no person', async () => {
  let isKnown = true;
  const { user, inputs, settle, http } = await showPage(<PersonPage />, {
    codes: ['person', 'person_erase'],
    answers: { [personCalls.plan.path]: () => (isKnown ? report : new Refused(404, '没有该人员')) },
  });
  const field = screen.getByLabelText('账号', { selector: 'input[autocomplete]' });
  await user.type(field, 'zhangsan{Enter}');
  await screen.findByRole('heading', { name: '张三 的个人数据' });
  isKnown = false;
  await user.clear(field);
  http.hold();
  await user.type(field, 'lisi{Enter}');
  await waitFor(() => expect(inputs(personCalls.plan)).toHaveLength(2));
  expect(screen.queryByRole('button', { name: '删除个人数据' })).toBeNull();
  http.release();
  await settle();
  expect(screen.queryByRole('button', { name: '删除个人数据' })).toBeNull();
});
