import { afterEach, expect, test } from '@rstest/core';
import { cleanup, screen, within } from '@testing-library/react';
import { DepartResource, resourceAudit } from '#plugins/resource/contract';
import ResourceAuditPage from '../../../../src/plugins/resource/console/ResourceAuditPage.tsx';
import { pageOf, rowOf } from '../../../kit/fixtures.ts';
import { showPage } from '../../../support/crud-screen.tsx';

afterEach(() => {
  cleanup();
  localStorage.clear();
});

const rows = [
  rowOf(DepartResource, { id: '1', name: 'waiting.txt', type: 2, status: 0 }),
  rowOf(DepartResource, { id: '2', name: 'approved.txt', type: 2, status: 1 }),
];
const open = () =>
  showPage(<ResourceAuditPage />, {
    codes: ['depart_resource_audit'],
    answers: { [resourceAudit.list.path]: () => pageOf(...rows), [resourceAudit.decide.path]: () => null },
  });
const button = (row: string, name: string) => within(screen.getByText(row).closest('tr') as HTMLElement).getByRole('button', { name });

test('approving, rejecting with a reason and letting a file wait again all go through the one call that sets the status', async () => {
  const page = await open();
  await screen.findByText('waiting.txt');
  await page.press(button('waiting.txt', '通过'));
  await page.press(button('approved.txt', '重新审核'));
  await page.press(button('waiting.txt', '驳回'));
  const dialog = within(await screen.findByRole('dialog'));
  await page.user.type(await dialog.findByRole('textbox'), '模糊');
  await page.press(dialog.getByRole('button', { name: '驳回' }));
  expect(page.inputs(resourceAudit.decide)).toEqual([
    { ids: ['1'], status: 1, partial: true },
    { ids: ['2'], status: 0, partial: true },
    { id: '1', reason: '模糊', status: 2 },
  ]);
});
