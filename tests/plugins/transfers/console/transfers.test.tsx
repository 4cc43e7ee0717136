import { afterEach, beforeEach, expect, test } from '@rstest/core';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { user } from '#plugins/organization/contract';
import { transfers } from '#plugins/transfers/contract';
import type { ImportPreview, TransferRow } from '#shared/transfer-schemas';
import { TransportError } from '../../../../src/kernel/platform/http/transport-error.ts';
import CentreList from '../../../../src/plugins/transfers/console/CentreList.tsx';
import ImportDialog from '../../../../src/plugins/transfers/console/ImportDialog.tsx';
import { TransferCentreButton } from '../../../../src/plugins/transfers/console/TransferCentreButton.tsx';
import { TransferCentre } from '../../../../src/plugins/transfers/console/transfer-centre.ts';
import { showPage } from '../../../support/crud-screen.tsx';
import { ScriptedHttp } from '../../../support/scripted-http.ts';

const row = (fields: Partial<TransferRow>): TransferRow => ({
  id: '1',
  kind: 'export',
  title: '用户',
  state: 'queued',
  place: null,
  progress: 0,
  total: null,
  good: 0,
  bad: 0,
  message: null,
  fileName: null,
  hasProblems: false,
  hasPasswords: false,
  createTime: '2026-01-01 08:00:00',
  endTime: null,
  expiresAt: null,
  ...fields,
});
const made = [{ id: '7', account: 'sheet1', realName: '张三丰', password: 'made-up-once', expiresAt: '2026-12-01 09:00:00' }];
const imported = row({ id: '9', kind: 'import', state: 'done', good: 1, hasPasswords: true });
const live = { stream: () => ({ subscribe: () => ({ unsubscribe: () => undefined }) }) } as unknown as ConstructorParameters<typeof TransferCentre>[1];

/** Opens a download centre in front of a server that has these transfers and returns the passwords of each only once. */
function centreWith(...rows: TransferRow[]) {
  let left: typeof made | [] = made;
  const passwords = () => {
    const given = left;
    left = [];
    return given;
  };
  const list = () => rows.map((one) => ({ ...one, hasPasswords: one.hasPasswords && left.length > 0 }));
  const answers = { [transfers.list.path]: list, [transfers.passwords.path]: passwords };
  return { answers, centre: new TransferCentre(new ScriptedHttp(answers), live) };
}

const preview: ImportPreview = {
  fileId: '5',
  total: 1,
  columns: ['账号'],
  mapping: [{ column: 0, field: 'account' }],
  fields: [{ name: 'account', title: '账号', required: true }],
  rows: [{ row: 2, cells: ['sheet1'], problems: [] }],
};

beforeEach(() => localStorage.clear());
afterEach(cleanup);

test('a waiting transfer shows its position in the queue', async () => {
  const { centre, answers } = centreWith(row({ place: 3 }), row({ id: '2', state: 'running', progress: 20, total: 100 }), row({ id: '3', state: 'queued' }));
  await centre.refresh();
  await showPage(<CentreList centre={centre} />, { answers });
  expect(screen.getAllByRole('listitem').map((item) => within(item).getByText(/排队中|进行中/).textContent)).toEqual(['排队中，第 3 位', '进行中', '排队中']);
  cleanup();
  await showPage(<CentreList centre={centre} />, { answers, language: 'en' });
  expect(screen.getByText('Queued, position 3')).toBeTruthy();
  centre.dispose();
});

test('the one-time passwords of an import are downloaded from the download centre, once', async () => {
  const { centre, answers } = centreWith(imported);
  await centre.refresh();
  const page = await showPage(<CentreList centre={centre} />, { answers });
  await page.press(screen.getByRole('button', { name: /^查看一次性密码/ }));
  const sheet = within(await screen.findByRole('dialog', { name: '一次性密码' }));
  for (const text of ['sheet1', '张三丰', 'made-up-once']) expect(sheet.getByText(text)).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^查看一次性密码/ })).toBeNull();
  centre.dispose();
});

test('an import of accounts ends with the sheet of their one-time passwords', async () => {
  const { centre, answers: known } = centreWith();
  const answers = { ...known, [`${user.importPreview?.path}`]: () => preview, [`${user.import?.path}`]: () => imported };
  const page = await showPage(<ImportDialog crud={user} container={() => document.body} onImported={() => undefined} onClose={() => undefined} />, {
    answers,
    services: [[TransferCentre, centre]],
  });
  await page.user.upload(screen.getByLabelText('选择文件'), new File(['账号\nsheet1'], 'users.csv', { type: 'text/csv' }));
  await page.settle();
  await page.press(screen.getByRole('button', { name: '开始导入' }));
  const sheet = within(await screen.findByRole('dialog', { name: '一次性密码' }));
  for (const text of ['sheet1', '张三丰', 'made-up-once']) expect(sheet.getByText(text)).toBeTruthy();
  centre.dispose();
});

const offline = () => {
  throw new TransportError('offline');
};
const running = row({ state: 'running', progress: 1, total: 2 });

/** Opens a download centre in front of a server whose list answers what `list` returns at that moment. */
function centreOf(list: () => readonly TransferRow[], more: ConstructorParameters<typeof ScriptedHttp>[0] = {}) {
  const answers = { [transfers.list.path]: list, ...more };
  const http = new ScriptedHttp(answers);
  return { answers, http, centre: new TransferCentre(http, live) };
}

/** Opens the import dialog of users in front of a server that starts the import with `started`. */
async function importing(started: TransferRow, { answers, centre }: Pick<ReturnType<typeof centreOf>, 'answers' | 'centre'>) {
  const imports: string[] = [];
  function Importing() {
    const [isOpen, setOpen] = useState(true);
    const dialog = <ImportDialog crud={user} container={() => document.body} onImported={() => imports.push('imported')} onClose={() => setOpen(false)} />;
    return isOpen ? dialog : <TransferCentreButton />;
  }
  const page = await showPage(<Importing />, {
    answers: { ...answers, [`${user.importPreview?.path}`]: () => preview, [`${user.import?.path}`]: () => started },
    services: [[TransferCentre, centre]],
  });
  await page.user.upload(screen.getByLabelText('选择文件'), new File(['账号\nsheet1'], 'users.csv', { type: 'text/csv' }));
  await page.settle();
  await page.press(screen.getByRole('button', { name: '开始导入' }));
  return { ...page, imports };
}

test('the answer of an older request for the transfers does not replace that of a newer one', async () => {
  let rows: readonly TransferRow[] = [running];
  const { centre, http } = centreOf(() => rows);
  await centre.refresh();
  const answersInOrder = [[running], []];
  http.hold();
  const older = centre.refresh();
  const newer = centre.refresh();
  rows = answersInOrder[1] as TransferRow[];
  http.release(1);
  await newer;
  rows = answersInOrder[0] as TransferRow[];
  http.release(0);
  await older;
  expect(centre.state.rows).toEqual([]);
  centre.dispose();
});

test('running transfers are polled again after a request that failed', async () => {
  let list: () => readonly TransferRow[] = () => [running];
  const { centre } = centreOf(() => list());
  await centre.refresh();
  list = offline;
  await centre.refresh();
  list = () => [row({ state: 'done' })];
  await waitFor(() => expect(centre.state.rows).toMatchObject([{ state: 'done' }]), { timeout: 4000 });
  centre.dispose();
});

test('a download centre that cannot be loaded says so and tries again', async () => {
  let list: () => readonly TransferRow[] = offline;
  const { centre, answers } = centreOf(() => list());
  await centre.refresh();
  const page = await showPage(<CentreList centre={centre} />, { answers });
  expect(screen.getByRole('alert').textContent).toContain('导入导出加载失败');
  list = () => [];
  await page.press(screen.getByRole('button', { name: '重试' }));
  expect(screen.getByRole('status').textContent).toContain('暂无导入导出');
  centre.dispose();
});

test('an action on a transfer that gets no answer shows a toast', async () => {
  const { centre, answers } = centreOf(() => [running], { [transfers.cancel.path]: offline });
  await centre.refresh();
  const page = await showPage(<CentreList centre={centre} />, { answers });
  await page.press(screen.getByRole('button', { name: /^取消/ }));
  expect(page.messages).toEqual(['error: 网络已断开，请检查网络连接']);
  centre.dispose();
});

test('removing an import whose passwords were not shown asks first', async () => {
  const { centre, answers, http } = centreOf(() => [imported]);
  await centre.refresh();
  const page = await showPage(<CentreList centre={centre} />, { answers, confirms: false });
  await page.press(screen.getByRole('button', { name: /^删除/ }));
  expect([page.questions, http.to(transfers.remove.path)]).toEqual([['删除'], []]);
  centre.dispose();
});

test('an import that goes on is followed to its end, also past a request that failed', async () => {
  const unfinished = row({ id: '9', kind: 'import', state: 'running' });
  let list: () => readonly TransferRow[] = offline;
  const server = centreOf(() => list());
  const page = await importing(unfinished, server);
  expect(screen.getByRole('status').textContent).toContain('正在导入');
  list = () => [unfinished];
  await act(() => server.centre.refresh());
  list = offline;
  await act(() => server.centre.refresh());
  list = () => [{ ...unfinished, state: 'done', good: 3 }];
  await waitFor(() => expect(screen.getByRole('status').textContent).toContain('已导入 3 行'), { timeout: 4000 });
  expect(page.imports).toEqual(['imported']);
  server.centre.dispose();
});

test('passwords that arrive after the import dialog was closed are shown in the download centre', async () => {
  const server = centreOf(() => [imported], { [transfers.passwords.path]: () => made });
  server.http.hold();
  const page = await importing(imported, server);
  await page.press(screen.getByRole('button', { name: '关闭' }));
  await act(async () => {
    for (let index = 0; index < 9; index += 1) {
      server.http.release();
      await Promise.resolve();
    }
  });
  await page.settle();
  const sheet = within(await screen.findByRole('dialog', { name: '一次性密码' }));
  expect(sheet.getByText('made-up-once')).toBeTruthy();
  server.centre.dispose();
});

test('a corrected file of the same name can be selected again', async () => {
  const { centre, answers } = centreOf(() => [], { [`${user.importPreview?.path}`]: offline });
  const dialog = <ImportDialog crud={user} container={() => document.body} onImported={() => undefined} onClose={() => undefined} />;
  const page = await showPage(dialog, { answers, services: [[TransferCentre, centre]] });
  const input = screen.getByLabelText<HTMLInputElement>('选择文件');
  await page.user.upload(input, new File(['x'], 'users.csv', { type: 'text/csv' }));
  await page.settle();
  expect([input.value, page.messages]).toEqual(['', ['error: 网络已断开，请检查网络连接']]);
  centre.dispose();
});
