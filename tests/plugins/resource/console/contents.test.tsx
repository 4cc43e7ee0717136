import { afterEach, expect, test } from '@rstest/core';
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { resource } from '#plugins/resource/contract';
import { files } from '#shared/files';
import { TransportError } from '../../../../src/kernel/platform/http/transport-error.ts';
import ResourcePage, { FolderContents } from '../../../../src/plugins/resource/console/ResourcePage.tsx';
import { showPage } from '../../../support/crud-screen.tsx';
import { Refused } from '../../../support/scripted-http.ts';

afterEach(cleanup);

const nothing = () => undefined;

test('a folder is read ten entries at a time', async () => {
  const records = Array.from({ length: 10 }, (_, index) => ({ id: String(index), name: `资料 ${index}`, type: 1, size: 0, url: null, cover: null }));
  const { inputs, press } = await showPage(
    <FolderContents
      {...{ pid: '0', owner: 'department', name: '', layout: 'rows', refetchKey: 0 }}
      onOpen={nothing}
      onRename={nothing}
      onMove={nothing}
      onRemove={nothing}
      onDrop={nothing}
    />,
    { answers: { [resource.list.path]: () => ({ records, total: 25, totalExact: true, size: 10, current: 1, pages: 3 }) } },
  );
  expect(await screen.findAllByText(/资料 \d/)).toHaveLength(10);
  await press(screen.getByText('3'));
  expect(inputs(resource.list)).toEqual([
    { current: 1, size: 10, pid: '0' },
    { current: 3, size: 10, pid: '0' },
  ]);
});

test('the list is labelled with the owner whose resources it shows', async () => {
  const { press } = await showPage(<ResourcePage />, {
    codes: ['depart_resource'],
    answers: Object.fromEntries(
      [resource.list, resource.mine].map(({ path }) => [path, () => ({ records: [], total: 0, totalExact: true, size: 10, current: 1, pages: 0 })]),
    ),
  });
  expect(await screen.findByRole('region', { name: '部门资源' })).toBeTruthy();
  await press(screen.getByText('我上传的'));
  expect(await screen.findByRole('region', { name: '我上传的' })).toBeTruthy();
});

const offline = () => {
  throw new TransportError('offline');
};
const folder = { id: '7', name: '合同', type: 1, size: 0, url: null, cover: null, parentId: '5', version: '1' };
const codes = ['depart_resource', 'depart_resource_add', 'depart_resource_edit', 'depart_resource_delete'];

/** Shows the page in front of a server with one folder. */
const showResources = (answers: Parameters<typeof showPage>[1]['answers']) =>
  showPage(<ResourcePage />, {
    codes,
    answers: {
      [resource.list.path]: ({ current }) => ({ records: current === 1 ? [folder] : [], total: 1, totalExact: true, size: 10, current, pages: 1 }),
      [resource.counts.path]: () => ({ folders: 1, files: 0, total: 1 }),
      [resource.folders.path]: () => [{ id: '9', value: '9', title: '归档' }],
      ...answers,
    },
  });

afterEach(() => history.replaceState(null, '', location.pathname));

test('a page that no longer exists leads to the last one', async () => {
  history.replaceState(null, '', '?page=2');
  await showResources({});
  expect(await screen.findByRole('button', { name: '打开 合同' })).toBeTruthy();
});

test('a resource that is not moved keeps the panel of its folders open', async () => {
  let answer: unknown = new Refused(409, '不能移动到其他部门的文件夹');
  const { press } = await showResources({ [resource.move.path]: () => answer });
  await press(await screen.findByRole('button', { name: '移动 合同' }));
  const target = within(await screen.findByRole('dialog', { name: '移动 合同' }));
  await press(await target.findByRole('button', { name: '归档' }));
  expect(screen.getByRole('dialog', { name: '移动 合同' })).toBeTruthy();
  answer = null;
  await press(target.getByRole('button', { name: '归档' }));
  expect(screen.queryByRole('dialog', { name: '移动 合同' })).toBeNull();
});

test('a deletion and an upload without an answer are reported', async () => {
  const uploaded = { link: '/file', attachId: '9', originalName: 'new.txt' };
  const page = await showResources({ [resource.removeOne.path]: offline, [resource.submitFile.path]: offline, [files.upload.path]: () => uploaded });
  await page.press(await screen.findByRole('button', { name: '删除 合同' }));
  await page.user.upload(document.querySelector<HTMLInputElement>('input[type=file]') as HTMLInputElement, new File(['x'], 'new.txt'));
  await page.settle();
  const error = 'error: 网络已断开，请检查网络连接';
  expect(page.messages.filter((text) => !text.startsWith('asked'))).toEqual([error, error]);
});

test('the search box follows the address, and keeps the focus', async () => {
  const { user, goTo } = await showResources({});
  const search = screen.getByRole<HTMLInputElement>('textbox', { name: '在此查找' });
  await user.type(search, '甲');
  fireEvent.keyDown(search, { key: 'Enter', keyCode: 13 });
  await goTo('?name=%E4%B9%99');
  expect([search.value, document.activeElement === search]).toEqual(['乙', true]);
});

test('a file is added to the folder that was open when its upload began', async () => {
  const uploaded = { link: '/file', attachId: '9', originalName: 'new.txt' };
  let finish: (reply: typeof uploaded) => void = nothing;
  const upload = () =>
    new Promise<typeof uploaded>((resolve) => {
      finish = resolve;
    });
  const page = await showResources({ [files.upload.path]: upload, [resource.submitFile.path]: () => null });
  await page.user.upload(document.querySelector<HTMLInputElement>('input[type=file]') as HTMLInputElement, new File(['x'], 'new.txt'));
  await page.press(await screen.findByRole('button', { name: '打开 合同' }));
  finish(uploaded);
  await page.settle();
  expect(page.inputs(resource.submitFile)).toMatchObject([{ pid: '0' }]);
});
