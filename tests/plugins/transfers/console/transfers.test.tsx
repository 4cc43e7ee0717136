import { afterEach, beforeEach, expect, test } from '@rstest/core';
import { cleanup, screen, within } from '@testing-library/react';
import { user } from '#plugins/organization/contract';
import { transfers } from '#plugins/transfers/contract';
import type { ImportPreview, TransferRow } from '#shared/transfer-schemas';
import CentreList from '../../../../src/plugins/transfers/console/CentreList.tsx';
import ImportDialog from '../../../../src/plugins/transfers/console/ImportDialog.tsx';
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
