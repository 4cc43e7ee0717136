import { beforeEach, expect, test } from '@rstest/core';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import EntityForm from '../../../../src/kernel/crud/form/EntityForm.tsx';
import { crud, entity } from '../../../../src/shared/contract/contract.ts';
import { Attachment, Id, Nullable, Text } from '../../../../src/shared/contract/fields.ts';
import { files } from '../../../../src/shared/platform/files.ts';
import { showCrud, showPage } from '../../../support/crud-screen.tsx';

const Receipt = entity('receipt', {
  id: Id(),
  name: Text({ title: ['名称', 'Name'] }),
  voucher: Nullable(Attachment({ title: ['凭证', 'Voucher'], max: 5 })),
});
const receipt = crud('/api/test/receipt', Receipt);
const stored = { id: '1', name: '收据', voucher: null, createTime: '2026-01-01 00:00:00', status: 1, isDeleted: 0 };
const uploaded = { id: '7', name: 'voucher.pdf', link: '/api/file/voucher.pdf', size: 3 };
const answers = {
  [receipt.list.path]: () => ({ records: [stored], total: 1, current: 1, size: 10, pages: 1 }),
  [receipt.detail.path]: () => stored,
  [receipt.submit.path]: (input: object) => ({ ...stored, ...input }),
  [files.upload.path]: () => uploaded,
};

beforeEach(cleanup);

const pick = () => {
  const input = document.querySelector<HTMLInputElement>('.crud-files input[type=file]') as HTMLInputElement;
  fireEvent.change(input, { target: { files: [new File(['pdf'], 'voucher.pdf', { type: 'application/pdf' })] } });
};
const warned = 'warning: 文件正在上传，完成后再保存';

test('a form on its page is not saved while a file uploads, says so, and is saved with the file afterwards', async () => {
  const { http, messages, user, settle } = await showPage(<EntityForm crud={receipt as never} row={stored as never} />, { answers });
  await user.type(await screen.findByLabelText('名称'), '二');
  http.hold();
  pick();
  await settle();
  expect(document.querySelector('.crud-files progress')).not.toBeNull();
  await user.click(screen.getByRole('button', { name: '保存' }));
  expect(messages).toContain(warned);
  expect(http.to('/submit')).toEqual([]);
  http.release();
  await waitFor(() => expect(document.querySelector('.crud-files progress')).toBeNull());
  await user.click(screen.getByRole('button', { name: '保存' }));
  await settle();
  expect(http.to('/submit')[0]?.input).toMatchObject({ name: '收据二', voucher: [expect.stringContaining('voucher.pdf')] });
});

test('a form in a dialog is not saved while a file uploads either', async () => {
  const { http, messages, user, settle } = await showCrud(
    { crud: receipt as never, title: ['收据', 'Receipts'] },
    { answers, codes: ['receipt', 'receipt_add'] },
  );
  await user.click(await screen.findByRole('button', { name: /新增/ }));
  await user.type(await screen.findByRole('textbox', { name: '名称' }), '新收据');
  http.hold();
  pick();
  await settle();
  await user.click(screen.getByRole('button', { name: /^(保存|确定)$/ }));
  expect(messages).toContain(warned);
  expect(http.to('/submit')).toEqual([]);
});
