import { beforeEach, expect, test } from '@rstest/core';
import { cleanup, screen, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { BehaviorSubject } from 'rxjs';
import { CrudPage } from '#kernel';
import { param } from '#plugins/settings/contract';
import { MenuTree } from '../../../../src/kernel/platform/menu/menu.ts';
import type { Language } from '../../../../src/shared/text/text.ts';
import { showPage } from '../../../support/crud-screen.tsx';
import { Refused } from '../../../support/scripted-http.ts';

const at = '/api/blade-system/param';
const row = { id: '1', paramName: '参数1', paramKey: 'key.1', paramValue: '1', remark: null, createTime: '2026-01-01 00:00:00' };
const uses = [
  {
    title: ['任务管理', 'Tasks'],
    count: 12,
    rows: { menu: 'task', list: '/api/things-task/task/getlist', conditions: [{ field: 'advertiserId', operator: 'equal', value: '1' }] },
  },
  { title: ['资金流水', 'Ledger'], count: 10_001, rows: { menu: 'ledger', list: '/api/things-task/ledger/list' } },
];
const items = [{ code: 'task', name: '任务', path: '/task/task', children: [] }];
const menu = { state: { items }, state$: new BehaviorSubject({ items }) };

beforeEach(cleanup);

const show = (refusal: Refused, language: Language = 'zh') =>
  showPage(
    <MemoryRouter>
      <CrudPage crud={param} />
    </MemoryRouter>,
    {
      answers: { [`${at}/list`]: () => ({ records: [row], total: 1, totalExact: true }), [`${at}/remove`]: () => refusal },
      codes: ['param', 'param_delete'],
      language,
      services: [[MenuTree, menu]],
    },
  );

test('a refused deletion names what uses the record, with numbers and links to lists that the user may open', async () => {
  const { press, messages } = await show(new Refused(409, '「参数1」正在使用中', { details: { uses } }));
  await press(screen.getByRole('button', { name: '删除' }));
  const dialog = within(await screen.findByRole('dialog', { name: '无法删除' }, { timeout: 20_000 }));
  expect(dialog.getByText('「参数1」正在使用中')).toBeTruthy();
  const list = within(dialog.getByRole('list', { name: '使用情况' }));
  expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['任务管理：12 条', '资金流水：10000+ 条']);
  expect(list.getAllByRole('link').map((link) => link.getAttribute('href')?.split('?')[0])).toEqual(['/task/task/index']);
  expect(messages.filter((text) => text.startsWith('error'))).toEqual([]);
  await press(dialog.getByRole('button', { name: '关闭' }));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('the dialog is written in English as well', async () => {
  const { press } = await show(new Refused(409, '“Parameter 1” is in use.', { details: { uses } }), 'en');
  await press(screen.getByRole('button', { name: 'Delete' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Cannot delete' }));
  expect(dialog.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['Tasks: 12', 'Ledger: 10000+']);
});

test('a deletion that is refused for another reason is a message, without a dialog', async () => {
  const { press, messages } = await show(new Refused(409, '内置参数不能删除'));
  await press(screen.getByRole('button', { name: '删除' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(messages).toContain('error: 内置参数不能删除');
});
