import { expect, test } from '@rstest/core';
import { screen } from '@testing-library/react';
import { ArcoDialogs } from '../../../../src/kernel/ui/arco/arco-dialogs.ts';

test('an open question that is closed without a click counts as no', async () => {
  const dialogs = new ArcoDialogs({ t: () => '取消' });
  const answer = dialogs.confirm({ title: '放弃修改？' });
  await screen.findByRole('dialog');
  dialogs.dispose();
  expect(await answer).toBe(false);
});
