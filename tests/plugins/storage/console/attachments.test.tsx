import { afterEach, expect, test } from '@rstest/core';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { attach } from '#plugins/storage/contract';
import AttachPage from '../../../../src/plugins/storage/console/AttachPage.tsx';
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
