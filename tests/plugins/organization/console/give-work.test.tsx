import { beforeEach, expect, test } from '@rstest/core';
import { cleanup, screen } from '@testing-library/react';
import GiveWorkPanel from '../../../../src/plugins/organization/console/GiveWorkPanel.tsx';
import { type UserRow, user } from '../../../../src/plugins/organization/contract.ts';
import { workCalls } from '../../../../src/plugins/organization/work-contract.ts';
import { showPage } from '../../../support/crud-screen.tsx';
import { Refused } from '../../../support/scripted-http.ts';

beforeEach(cleanup);

const works = [{ key: 'page:task_audit', title: '审核任务', group: '任务', parts: [], targets: [] }];
const answers = {
  [workCalls.works.path]: () => ({ works, fields: [] }),
  [workCalls.give.path]: () => new Refused(409, '该用户正在被他人修改'),
  [user.list.path]: () => ({ records: [{ id: '7', realName: '王芳', account: 'wang' }], total: 1, totalExact: true, size: 20, current: 1, pages: 1 }),
};
const show = (known?: Partial<UserRow>) =>
  showPage(<GiveWorkPanel user={known as UserRow | undefined} onGiven={() => undefined} onClose={() => undefined} />, { answers });

test('the reason why work is not given stands in the panel, and there only', async () => {
  const { http, press } = await show({ id: '7', realName: '王芳', roleId: [] });
  await press(screen.getByRole('checkbox', { name: /审核任务/ }));
  await press(screen.getByRole('button', { name: '完成' }));
  expect(screen.getByRole('alert').textContent).toBe('该用户正在被他人修改');
  expect(http.to(workCalls.give.path).map(({ options }) => options.quiet)).toEqual([true]);
});

test('a known user is searched once the typing rests', async () => {
  const { inputs, user: typist } = await show();
  await typist.type(screen.getByRole('combobox', { name: '用户' }), '王芳芳');
  await expect.poll(() => inputs(user.list).at(-1)).toEqual({ size: 20, realName_match: '王芳芳' });
  expect(inputs(user.list)).toHaveLength(2);
});
