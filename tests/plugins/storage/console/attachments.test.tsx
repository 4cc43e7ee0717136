import { afterEach, expect, test } from '@rstest/core';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { attach, keepAttachments, oss } from '#plugins/storage/contract';
import { files } from '#shared/files';
import { TransportError } from '../../../../src/kernel/platform/http/transport-error.ts';
import AttachPage from '../../../../src/plugins/storage/console/AttachPage.tsx';
import OssPage from '../../../../src/plugins/storage/console/OssPage.tsx';
import { showPage } from '../../../support/crud-screen.tsx';

afterEach(cleanup);

test('attachments are read ten at a time, as pictures and as rows', async () => {
  const { inputs, press } = await showPage(<AttachPage />, {
    codes: ['attach'],
    answers: { [attach.list.path]: () => ({ records: [], total: 0, totalExact: true, size: 10, current: 1, pages: 0 }) },
  });
  await waitFor(() => expect(inputs(attach.list)).toEqual([{ current: 1, size: 10 }]));
  await press(screen.getByText('列表'));
  await waitFor(() =>
    expect(inputs(attach.list)).toEqual([
      { current: 1, size: 10 },
      { current: 1, size: 10 },
    ]),
  );
  expect(screen.getByRole<HTMLInputElement>('radio', { name: '列表' }).checked).toBe(true);
});

const offline = () => {
  throw new TransportError('offline');
};
const file = (id: string) => ({
  id,
  originalName: `文件 ${id}`,
  name: id,
  extension: 'txt',
  type: 'text/plain',
  attachSize: 1,
  isPublic: false,
  isKept: false,
  link: '/file',
});
const pageOf = (records: unknown[], current: number, total: number) => ({ records, total, totalExact: true, size: 10, current, pages: Math.ceil(total / 10) });

test('a page that no longer exists leads to the last one', async () => {
  history.replaceState(null, '', '?page=3');
  const list = ({ current }: { current?: unknown }) => pageOf(current === 2 ? [file('7')] : [], Number(current), 11);
  const { inputs } = await showPage(<AttachPage />, { codes: ['attach'], answers: { [attach.list.path]: list } });
  expect(await screen.findByText('文件 7')).toBeTruthy();
  expect(inputs(attach.list).map((input) => (input as { current: number }).current)).toEqual([3, 2]);
  history.replaceState(null, '', location.pathname);
});

test('attachments that cannot be loaded are reported, and a search keeps the focus', async () => {
  let list: () => unknown = offline;
  const { press, user } = await showPage(<AttachPage />, { codes: ['attach'], answers: { [attach.list.path]: () => list() } });
  expect(screen.getByRole('alert').textContent).toContain('附件加载失败');
  list = () => pageOf([], 1, 0);
  await press(within(screen.getByRole('alert')).getByRole('button'));
  const search = screen.getByRole('textbox', { name: '按名称查找' });
  await user.type(search, '合同');
  fireEvent.keyDown(search, { key: 'Enter', keyCode: 13 });
  expect(await screen.findByText('没有符合条件的附件')).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: '按名称查找' }));
  history.replaceState(null, '', location.pathname);
});

test('an upload that cannot be kept is reported and shown, and so is a deletion without an answer', async () => {
  const uploaded = { link: '/file', attachId: '9', originalName: 'new.txt' };
  const answers = {
    [attach.list.path]: () => pageOf([file('7')], 1, 1),
    [files.upload.path]: () => uploaded,
    [keepAttachments.path]: offline,
    [attach.uses.path]: offline,
  };
  const page = await showPage(<AttachPage />, { codes: ['attach', 'attach_add', 'attach_delete'], answers });
  await page.user.upload(document.querySelector<HTMLInputElement>('input[type=file]') as HTMLInputElement, new File(['x'], 'new.txt'));
  await page.settle();
  expect(page.inputs(attach.list)).toHaveLength(2);
  await page.press(screen.getByRole('button', { name: '删除 文件 7' }));
  expect(page.messages).toEqual(['success: new.txt 已上传', 'error: 网络已断开，请检查网络连接', 'error: 网络已断开，请检查网络连接']);
});

test('a saved store is tested only for users who may test it', async () => {
  const row = { id: '1', ossCode: 'main', category: '7', status: 1, version: '1' };
  const { inputs, press } = await showPage(<OssPage />, {
    codes: ['oss', 'oss_edit'],
    answers: {
      [oss.list.path]: () => pageOf([row], 1, 1),
      [oss.submit.path]: () => row,
      [oss.detail.path]: () => row,
      [oss.test.path]: () => ({ works: true, steps: [] }),
    },
  });
  await press(await screen.findByRole('button', { name: '编辑' }));
  await press(within(await screen.findByRole('dialog')).getByRole('button', { name: /保存|确定/ }));
  expect([inputs(oss.submit).length, inputs(oss.test).length]).toEqual([1, 0]);
});
