import { beforeEach, expect, test } from '@rstest/core';
import { cleanup, screen, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { crud, entity, list } from '#shared/contract';
import { Id, LongText, Money, Nullable, Reference, Select, Text } from '#shared/fields';
import type { HistoryEntry } from '#shared/history-schemas';
import { CrudPage } from '../../../../src/kernel/crud/page/CrudPage.tsx';
import { rowTitles, showPage } from '../../../support/crud-screen.tsx';
import { Refused } from '../../../support/scripted-http.ts';

const Owner = entity('owner', { id: Id(), name: Text({ title: ['姓名', 'Name'] }) });
const owners = list('/api/test/owner/list', Owner, 'signedIn', ['负责人', 'Owners']);
const Offer = entity('offer', {
  id: Id(),
  name: Text({ title: ['名称', 'Name'] }),
  price: Money({ title: ['价格', 'Price'], default: 0 }),
  state: Select({
    title: ['状态', 'State'],
    form: false,
    options: [
      [0, ['草稿', 'Draft']],
      [1, ['已发布', 'Published']],
    ],
  }),
  ownerId: Nullable(Reference({ title: ['负责人', 'Owner'], from: { call: owners, paged: true } })),
  remark: Nullable(LongText({ title: ['备注', 'Remark'] })),
});
const offer = crud('/api/test/offer', Offer);
const at = '/api/test/offer';

const row = { id: '1', name: 'two', price: 250, state: 1, ownerId: '8', ownerName: '王五', remark: null, version: '77', createTime: '2026-01-01 00:00:00' };
const entryOf = (id: string, fields: HistoryEntry['fields'], more: Partial<HistoryEntry> = {}): HistoryEntry => ({
  id,
  time: `2026-01-0${id} 10:00:00.123`,
  action: 'updated',
  userId: '7',
  userName: '李四',
  method: 'POST',
  path: `${at}/submit`,
  title: '新增或修改',
  requestId: 'r',
  fields,
  ...more,
});
const entries = [
  entryOf('4', { state: [0, 1] }, { userId: null, userName: null, title: null }),
  entryOf('3', { name: ['one', 'two'], price: [100, 250] }),
  entryOf('2', { ownerId: ['9', '8'], remark: ['长'.repeat(200), null] }),
  entryOf('1', { name: [null, 'one'] }, { action: 'created' }),
];

beforeEach(cleanup);

type Answers = Parameters<typeof showPage>[1]['answers'];

async function open(answers: Answers = {}, codes = ['offer', 'offer_view', 'offer_edit'], language: 'zh' | 'en' = 'zh') {
  const page = await showPage(
    <MemoryRouter>
      <CrudPage crud={offer} />
    </MemoryRouter>,
    {
      answers: {
        [`${at}/list`]: () => ({ records: [row], total: 1, totalExact: true }),
        [`${at}/detail`]: () => row,
        [`${at}/history`]: () => ({ records: entries, next: null }),
        '/api/test/owner/list': () => ({
          records: [
            { id: '9', name: '赵六' },
            { id: '8', name: '王五' },
          ],
          total: 2,
        }),
        ...answers,
      },
      codes,
      language,
    },
  );
  await page.press(rowTitles()[0] as HTMLElement);
  await screen.findByRole('dialog', undefined, { timeout: 20_000 });
  await page.press(screen.getByRole('tab', { name: language === 'zh' ? '变更历史' : 'History' }));
  const history = await screen.findByRole('region', { name: language === 'zh' ? '变更历史' : 'History' }, { timeout: 20_000 });
  return { ...page, history: within(history) };
}

test('each change shows its author, time and call, and its fields with labels instead of stored values', async () => {
  const { history } = await open();
  const items = await history.findAllByRole('listitem');
  expect(items).toHaveLength(4);
  expect(items[0]?.textContent).toContain('系统');
  expect(items[0]?.textContent).toMatch(/草稿.*已发布/);
  expect(items[1]?.textContent).toContain('李四');
  expect(items[1]?.textContent).toContain('2026-01-03 10:00:00');
  expect(items[1]?.textContent).toContain('新增或修改');
  expect(items[1]?.textContent).toMatch(/¥1\.00.*¥2\.50/);
  expect(await within(items[2] as HTMLElement).findByText('赵六')).toBeTruthy();
  expect(within(items[2] as HTMLElement).getByText('王五')).toBeTruthy();
  expect(items[3]?.textContent).toMatch(/新增.*空.*one/);
});

test('a long text is collapsed until it is expanded', async () => {
  const { history, press } = await open();
  const button = await history.findByRole('button', { name: '展开' });
  expect(button.getAttribute('aria-expanded')).toBe('false');
  await press(button);
  expect(history.getByRole('button', { name: '收起' }).getAttribute('aria-expanded')).toBe('true');
});

test('restoring a value names the change and sends an ordinary edit with the version', async () => {
  const { history, press, inputs, messages } = await open({ [`${at}/submit`]: () => row });
  await press(await history.findByRole('button', { name: '恢复「价格」的原值' }));
  const dialog = within(screen.getByRole('dialog', { name: '恢复旧值' }));
  expect(dialog.getByRole('row', { name: /价格/ }).textContent).toMatch(/¥2\.50.*¥1\.00/);
  await press(dialog.getByRole('button', { name: '恢复' }));
  expect(inputs(offer.submit)).toEqual([{ id: '1', version: '77', price: 100 }]);
  expect(messages).toContain('success: 已恢复');
  expect(screen.queryByRole('dialog', { name: '恢复旧值' })).toBeNull();
  expect(inputs(offer.history as never)).toHaveLength(2);
});

test('restoring a version sets every field that later changes have set, except those that no form has', async () => {
  const { history, press, inputs } = await open({ [`${at}/submit`]: () => row });
  const items = await history.findAllByRole('listitem');
  await press(within(items[3] as HTMLElement).getByRole('button', { name: '恢复到此版本' }));
  await press(within(screen.getByRole('dialog', { name: '恢复旧值' })).getByRole('button', { name: '恢复' }));
  expect(inputs(offer.submit)).toEqual([{ id: '1', version: '77', name: 'one', price: 100, ownerId: '9', remark: '长'.repeat(200) }]);
  // The newest version is the record as it is.
  expect(within(items[0] as HTMLElement).queryByRole('button')).toBeNull();
});

test('a conflict is shown, and the values are compared again after a reload', async () => {
  const { history, press, inputs } = await open({ [`${at}/submit`]: () => new Refused(409, '此记录已被他人修改') });
  await press(await history.findByRole('button', { name: '恢复「名称」的原值' }));
  const dialog = within(screen.getByRole('dialog', { name: '恢复旧值' }));
  await press(dialog.getByRole('button', { name: '恢复' }));
  expect(dialog.getByText('此记录已被他人修改')).toBeTruthy();
  await press(dialog.getByRole('button', { name: '查看最新值' }));
  expect(inputs(offer.detail)).toHaveLength(2);
});

test('a user who may not edit the record sees no buttons to restore', async () => {
  const { history } = await open({}, ['offer', 'offer_view']);
  await history.findAllByRole('listitem');
  expect(history.queryByRole('button', { name: /恢复/ })).toBeNull();
});

test('earlier changes are loaded on request', async () => {
  const pages: Record<string, unknown> = { first: { records: entries.slice(0, 2), next: '3' }, 3: { records: entries.slice(2), next: null } };
  const { history, press } = await open({ [`${at}/history`]: ({ cursor = 'first' }) => pages[String(cursor)] });
  await history.findAllByRole('listitem');
  await press(history.getByRole('button', { name: '加载更早的变更' }));
  expect(history.getAllByRole('listitem')).toHaveLength(4);
  expect(history.queryByRole('button', { name: '加载更早的变更' })).toBeNull();
});

test('a record without changes says so, and a failure can be retried', async () => {
  const empty = await open({ [`${at}/history`]: () => ({ records: [], next: null }) }, undefined, 'en');
  expect(await empty.history.findByText('No changes yet')).toBeTruthy();
  cleanup();
  let fails = true;
  const { history, press } = await open({ [`${at}/history`]: () => (fails ? new Refused(500, '服务器异常') : { records: entries, next: null }) });
  const alert = await history.findByRole('alert');
  expect(alert.textContent).toContain('服务器异常');
  fails = false;
  await press(within(alert).getByRole('button', { name: '重试' }));
  expect(await history.findAllByRole('listitem')).toHaveLength(4);
});
