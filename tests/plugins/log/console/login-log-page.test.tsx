import { afterEach, expect, test } from '@rstest/core';
import { cleanup, screen } from '@testing-library/react';
import { loginLog } from '#plugins/log/contract';
import LoginLogPage from '../../../../src/plugins/log/console/LoginLogPage.tsx';
import { showPage } from '../../../support/crud-screen.tsx';

afterEach(cleanup);

const attempt = (id: string, way: string) => ({
  id,
  way,
  account: 'li',
  outcome: 'granted',
  address: '127.0.0.1',
  device: 'Firefox',
  createTime: '2026-01-01 00:00:00',
});

test('sign-in methods are shown by name, and an unknown grant as it was sent', async () => {
  const records = [attempt('1', 'sms_code'), attempt('2', 'sesame')];
  await showPage(<LoginLogPage />, {
    language: 'en',
    codes: ['log_login'],
    answers: { [loginLog.list.path]: () => ({ records, total: 2, totalExact: true, size: 10, current: 1, pages: 1 }) },
  });
  expect(screen.getByRole('cell', { name: 'Text message code' })).toBeTruthy();
  expect(screen.getByRole('cell', { name: 'sesame' })).toBeTruthy();
});
