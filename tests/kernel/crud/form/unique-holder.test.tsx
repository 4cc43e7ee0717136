import { beforeEach, expect, test } from '@rstest/core';
import { cleanup, screen, within } from '@testing-library/react';
import { param } from '#plugins/settings/contract';
import { showCrud } from '../../../support/crud-screen.tsx';
import { Refused } from '../../../support/scripted-http.ts';

const at = '/api/blade-system/param';
const stored = { id: '7', paramName: '邮件服务器', paramKey: 'mail.host', paramValue: 'smtp.example.com', remark: null, createTime: '2026-01-01 00:00:00' };
const message = '参数键名「mail.host」已被「邮件服务器」使用';

beforeEach(() => cleanup());

/** Saves a new parameter with the key of the stored one. */
async function addDuplicate(details: unknown) {
  const shown = await showCrud(
    { crud: param },
    {
      answers: {
        [`${at}/list`]: () => ({ records: [stored], total: 1, size: 10, current: 1, pages: 1 }),
        [`${at}/detail`]: () => stored,
        [`${at}/submit`]: () => new Refused(409, message, { field: 'paramKey', details }),
      },
      codes: ['param', 'param_add', 'param_view'],
    },
  );
  const { user, settle } = shown;
  await user.click(screen.getByRole('button', { name: '新增' }));
  const form = within(await screen.findByRole('dialog'));
  await user.type(form.getByLabelText('参数名称'), '另一个');
  await user.type(form.getByLabelText('参数键名'), 'mail.host');
  await user.type(form.getByLabelText('参数键值'), 'localhost');
  await user.click(form.getByRole('button', { name: '保存' }));
  await settle();
  return { ...shown, form };
}

test('a duplicate links to the record that has the value, over the form and its input', async () => {
  const { user, settle, form, http } = await addDuplicate({ id: '7', name: '邮件服务器' });
  expect(form.getByText(message)).toBeTruthy();
  await user.click(form.getByRole('button', { name: '查看「邮件服务器」' }));
  await expect.poll(() => http.to('/detail').map(({ input }) => input), { timeout: 10_000 }).toEqual([{ id: '7' }]);
  await settle();
  await expect.poll(() => screen.getAllByRole('dialog').length, { timeout: 10_000 }).toBe(2);
  const record = within(screen.getAllByRole('dialog').at(-1) as HTMLElement);
  expect(await record.findByText('smtp.example.com')).toBeTruthy();
  await user.click(record.getByRole('button', { name: '关闭' }));
  expect((form.getByLabelText('参数键值') as HTMLTextAreaElement).value).toBe('localhost');
  await user.type(form.getByLabelText('参数键名'), '.second');
  expect(form.queryByRole('button', { name: '查看「邮件服务器」' })).toBeNull();
});

test('a record without a visible name is linked without it, and an undisclosed one not at all', async () => {
  expect((await addDuplicate({ id: '7' })).form.getByRole('button', { name: '查看使用它的数据' })).toBeTruthy();
  cleanup();
  expect((await addDuplicate(null)).form.queryByRole('button', { name: /^查看/ })).toBeNull();
});
