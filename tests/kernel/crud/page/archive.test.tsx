import { beforeEach, expect, test } from '@rstest/core';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { BehaviorSubject } from 'rxjs';
import { CrudPage } from '#kernel';
import { post } from '#plugins/organization/contract';
import { MenuTree } from '../../../../src/kernel/platform/menu/menu.ts';
import { showPage } from '../../../support/crud-screen.tsx';
import { Refused } from '../../../support/scripted-http.ts';

const at = '/api/blade-system/post';
const row = { id: '1', postCode: 'cto', postName: '首席技术官', category: 1, sort: 1, remark: null, isDeleted: 0, createTime: '2026-01-01 00:00:00' };
const page = (...records: object[]) => ({ records, total: records.length, totalExact: true });
const menu = { state: { items: [] }, state$: new BehaviorSubject({ items: [] }) };
const all = ['post', 'post_delete', 'post_view'];
const patience = { timeout: 20_000 };

beforeEach(cleanup);

const show = (codes: readonly string[], answers: Record<string, () => unknown> = {}) =>
  showPage(
    <MemoryRouter>
      <CrudPage crud={post} />
    </MemoryRouter>,
    { answers: { [`${at}/list`]: () => page(row), ...answers }, codes, services: [[MenuTree, menu]] },
  );

test('a refused deletion offers to archive the record, which can be undone', async () => {
  const sent: string[] = [];
  const note = (name: string) => () => {
    sent.push(name);
    return null;
  };
  const uses = [{ title: ['用户', 'Users'], count: 2 }];
  const { press, messages } = await show(all, {
    [`${at}/remove`]: () => new Refused(409, '「首席技术官」正在使用中', { details: { uses } }),
    [`${at}/archive`]: note('archive'),
    [`${at}/unarchive`]: note('unarchive'),
  });
  await press(screen.getByRole('button', { name: '删除' }));
  const dialog = within(await screen.findByRole('dialog', { name: '无法删除' }, patience));
  await press(dialog.getByRole('button', { name: '改为归档' }));
  await waitFor(() => expect(sent).toEqual(['archive']));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(messages.some((text) => text.includes('已归档'))).toBe(true);
});

test('a row is archived after a confirmation that says what it means', async () => {
  const sent: string[] = [];
  const { press, questions } = await show(all, {
    [`${at}/archive`]: () => {
      sent.push('archive');
      return null;
    },
  });
  await press(screen.getByRole('button', { name: '归档' }));
  await waitFor(() => expect(sent).toEqual(['archive']));
  expect(questions.join()).toContain('归档「cto」');
});

test('archived rows are listed beside the screen and brought back from there', async () => {
  const sent: string[] = [];
  const { press, chooseTool } = await show(all, {
    [`${at}/archived-list`]: () => page({ ...row, isDeleted: 2 }),
    [`${at}/unarchive`]: () => {
      sent.push('unarchive');
      return null;
    },
  });
  await chooseTool('已归档');
  const archive = within(await screen.findByRole('dialog', { name: '已归档' }, patience));
  // The button above the list is there before its rows.
  const line = within(await archive.findByRole('row', { name: /cto/ }, patience));
  await press(line.getByRole('button', { name: '取消归档' }));
  await waitFor(() => expect(sent).toEqual(['unarchive']));
});

test('without the permission to delete, archived rows can be read and nothing else is offered', async () => {
  const { chooseTool } = await show(['post', 'post_view'], { [`${at}/archived-list`]: () => page({ ...row, isDeleted: 2 }) });
  expect(screen.queryByRole('button', { name: '归档' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: '更多' }));
  expect(screen.queryByRole('menuitem', { name: '回收站' })).toBeNull();
  await userEvent.keyboard('{Escape}');
  await chooseTool('已归档');
  const archive = within(await screen.findByRole('dialog', { name: '已归档' }, patience));
  expect(await archive.findByText('cto', {}, patience)).toBeTruthy();
  expect(archive.queryByRole('button', { name: '取消归档' })).toBeNull();
});

test('the recycle bin says who deleted a row and when', async () => {
  const { chooseTool } = await show(all, {
    [`${at}/recycle-list`]: () => page({ ...row, isDeleted: 1, deletedBy: '王小麦', updateTime: '2026-02-03 04:05:06' }),
    [`${at}/restore`]: () => null,
  });
  await chooseTool('回收站');
  const bin = within(await screen.findByRole('dialog', { name: '回收站' }, patience));
  expect(await bin.findByText('王小麦', {}, patience)).toBeTruthy();
  expect(bin.getByRole('columnheader', { name: '删除时间' })).toBeTruthy();
  expect(bin.getAllByRole('button', { name: '恢复' }).length).toBeGreaterThan(0);
});
