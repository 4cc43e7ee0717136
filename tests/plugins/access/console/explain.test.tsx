import { afterEach, expect, test } from '@rstest/core';
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { explaining } from '#plugins/access/contract';
import { type Explanation, explained } from '#shared/permission-explanation';
import ExplainPage from '../../../../src/plugins/access/console/ExplainPage.tsx';
import { showPage } from '../../../support/crud-screen.tsx';

const refused: Explanation = {
  user: { id: '9', account: 'li', name: '李雷' },
  subject: { kind: 'button', name: ['新增', 'Add'], about: 'post_add' },
  isAllowed: false,
  steps: [
    explained('account', 'allows', 'mayEnter'),
    explained('code', 'refuses', 'lacksCode', { code: 'post_add' }),
    explained('dataScope', 'silent', 'noRows'),
  ],
};

async function open(query: string, language: 'zh' | 'en' = 'zh') {
  history.replaceState(null, '', `/authority/explain/index${query}`);
  return showPage(<ExplainPage />, {
    language,
    answers: {
      [explaining.of.path]: () => refused,
      [explaining.people.path]: () => [{ id: '9', account: 'li', realName: '李雷', deptName: '总公司' }],
      [explaining.entries.path]: () => [],
      [explaining.calls.path]: () => [{ path: '/api/blade-system/post/submit', title: '新增或修改' }],
    },
  });
}

afterEach(() => {
  cleanup();
  history.replaceState(null, '', '/');
});

test('what the address asks is answered at once: in one line, and in a sentence a step', async () => {
  const { inputs } = await open('?userId=9&about=post_add');
  expect(inputs(explaining.of)).toEqual([{ userId: '9', about: 'post_add' }]);
  expect(screen.getByRole('heading').textContent).toBe('李雷 不能使用“新增”');
  const steps = screen.getAllByRole('listitem').map(({ textContent }) => textContent ?? '');
  expect(steps).toHaveLength(3);
  expect(steps[0]).toContain('允许');
  expect(steps[1]).toContain('拒绝');
  expect(steps[1]).toContain('post_add');
  expect(steps[2]).toContain('不涉及');
});

test('nothing is asked before there is something to ask about, and the page says what to choose', async () => {
  const { inputs } = await open('');
  expect(inputs(explaining.of)).toEqual([]);
  expect(screen.getByText('选择用户和页面、按钮或接口，即可看到每一步为什么允许或拒绝。')).toBeTruthy();
});

test('a row is asked about by its number, and left out again where the number is', async () => {
  const { inputs, settle } = await open('?userId=9&about=post_add');
  const row = screen.getByLabelText('数据编号');
  for (const number of ['12', 'x']) {
    fireEvent.change(row, { target: { value: number } });
    fireEvent.keyDown(row, { key: 'Enter', keyCode: 13 });
    await settle();
  }
  expect(inputs(explaining.of)).toEqual([
    { userId: '9', about: 'post_add' },
    { userId: '9', about: 'post_add', rowId: '12' },
    { userId: '9', about: 'post_add' },
  ]);
});

test('in English every step is said in English', async () => {
  await open('?userId=9&about=post_add', 'en');
  const answer = within(screen.getByRole('list'));
  expect(screen.getByRole('heading').textContent).toBe('李雷 may not use “Add”');
  expect(answer.getByText('Refuses')).toBeTruthy();
  expect(screen.getByRole('list').textContent).not.toMatch(/[\u4e00-\u9fff]/);
});
