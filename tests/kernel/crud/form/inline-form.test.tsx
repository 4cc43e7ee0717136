import { beforeEach, expect, test } from '@rstest/core';
import { cleanup, screen } from '@testing-library/react';
import { InlineForm } from '../../../../src/kernel/crud/form/InlineForm.tsx';
import { crud, entity } from '../../../../src/shared/contract/contract.ts';
import { Id, Nullable, Secret, Text } from '../../../../src/shared/contract/fields.ts';
import { showPage } from '../../../support/crud-screen.tsx';

const Shop = entity('shop', {
  id: Id(),
  name: Text({ title: ['店名', 'Name'] }),
  token: Nullable(Secret({ title: ['令牌', 'Token'] })),
});
const shop = crud('/api/test/shop', Shop);
const stored = {
  id: '1',
  name: '旧名',
  createUser: null,
  createDept: null,
  createTime: '2026-01-01 00:00:00',
  updateUser: null,
  updateTime: null,
  status: 1,
  isDeleted: 0,
} as const;

beforeEach(() => {
  cleanup();
  sessionStorage.clear();
});

const dirty: boolean[] = [];
const open = async (userId = '1') => {
  const shown = await showPage(<InlineForm crud={shop as never} row={stored as never} />, {
    answers: { '/api/test/shop/detail': () => stored, '/api/test/shop/submit': (input) => ({ ...stored, ...input }) },
    userId,
    pane: { setDirty: (isDirty) => void dirty.push(isDirty) },
  });
  await screen.findByLabelText('店名');
  return shown;
};
const nameField = () => screen.getByLabelText('店名') as HTMLInputElement;
const drafts = () => Object.entries(sessionStorage).filter(([key]) => key.includes('draft:'));

test('unsaved input marks the tab and is offered again after a reload, without its secrets', async () => {
  const { user } = await open();
  await user.clear(nameField());
  await user.type(nameField(), '新名');
  await user.type(screen.getByLabelText('令牌'), 'top-secret');
  expect(dirty.at(-1)).toBe(true);
  await expect.poll(() => String(drafts()[0]?.[1] ?? ''), { timeout: 10_000 }).toContain('新名');
  expect(String(drafts()[0]?.[1])).not.toContain('top-secret');

  cleanup();
  const again = await open();
  expect(nameField().value).toBe('旧名');
  await again.user.click(screen.getByRole('button', { name: '继续填写' }));
  expect(nameField().value).toBe('新名');
  expect(screen.queryByRole('button', { name: '继续填写' })).toBeNull();
  await again.user.click(screen.getByRole('button', { name: '保存' }));
  await again.settle();
  expect(again.http.to('/submit')[0]?.input).toMatchObject({ id: '1', name: '新名' });
  expect(drafts()).toEqual([]);
});

test('a draft can be discarded, and another user never gets it', async () => {
  const { user } = await open();
  await user.type(nameField(), '写一半');
  await expect.poll(() => drafts().length, { timeout: 10_000 }).toBe(1);
  cleanup();
  await open('2');
  expect(screen.queryByRole('button', { name: '继续填写' })).toBeNull();
  cleanup();
  const again = await open();
  await again.user.click(screen.getByRole('button', { name: '丢弃' }));
  expect(screen.queryByRole('button', { name: '丢弃' })).toBeNull();
  expect(drafts()).toEqual([]);
});
