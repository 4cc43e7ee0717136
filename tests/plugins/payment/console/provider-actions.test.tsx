import { afterEach, expect, test } from '@rstest/core';
import { cleanup, screen, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { BehaviorSubject } from 'rxjs';
import { alipayMerchant } from '#plugins/alipay/contract';
import { bankAccount, bankFile } from '#plugins/bank-file/contract';
import { payChannel } from '#plugins/wechat-pay/contract';
import { TransportError } from '../../../../src/kernel/platform/http/transport-error.ts';
import { MenuTree } from '../../../../src/kernel/platform/menu/menu.ts';
import AlipayMerchantPage from '../../../../src/plugins/alipay/console/AlipayMerchantPage.tsx';
import BankAccountPage from '../../../../src/plugins/bank-file/console/BankAccountPage.tsx';
import BankFilePage from '../../../../src/plugins/bank-file/console/BankFilePage.tsx';
import PayChannelPage from '../../../../src/plugins/wechat-pay/console/PayChannelPage.tsx';
import { showPage } from '../../../support/crud-screen.tsx';

afterEach(cleanup);

const offline = () => {
  throw new TransportError('offline');
};
const state = { status: 'ready', items: [] };
const menu = { state, state$: new BehaviorSubject(state) };
const pageOf = (...records: object[]) => ({ records, total: records.length, totalExact: true, size: 10, current: 1, pages: 1 });

test.each([
  ['bank_account', bankAccount, BankAccountPage],
  ['alipay_merchant', alipayMerchant, AlipayMerchantPage],
  ['pay_channel', payChannel, PayChannelPage],
] as const)('a provider of %s is enabled and disabled, and a request without an answer is reported', async (code, calls, Page) => {
  const answers = {
    [calls.list.path]: () => pageOf({ id: '1', name: '停用中', status: 1 }, { id: '2', name: '启用中', status: 2 }),
    [calls.enable.path]: () => null,
    [calls.disable.path]: offline,
  };
  const page = await showPage(<Page />, { answers, codes: [code, `${code}_enable`] });
  const button = (row: string, name: string) => within(screen.getByText(row).closest('tr') as HTMLElement).getByRole('button', { name });
  await screen.findByText('停用中');
  await page.press(button('停用中', '启用'));
  await page.press(button('启用中', '停用'));
  expect([page.inputs(calls.enable), page.inputs(calls.disable)]).toEqual([[{ id: '1' }], [{ id: '2' }]]);
  expect(page.messages).toEqual(['success: 已启用', 'error: 网络已断开，请检查网络连接']);
});

test('a bank file that cannot be downloaded is reported', async () => {
  const answers = { [bankFile.list.path]: () => pageOf({ id: '1', fileNo: 'F1', state: 0 }), [bankFile.download.path]: offline };
  const shown = (
    <MemoryRouter>
      <BankFilePage />
    </MemoryRouter>
  );
  const page = await showPage(shown, { answers, codes: ['bank_file', 'bank_file_download'], services: [[MenuTree, menu]] });
  await page.press(await screen.findByRole('button', { name: '下载' }));
  expect(page.messages).toEqual(['error: 网络已断开，请检查网络连接']);
});
