import { expect, rstest, test } from '@rstest/core';
import { screen } from '@testing-library/react';
import { ArcoDialogs } from '../../../../src/kernel/ui/arco/arco-dialogs.ts';

test('an open question that is closed without a click counts as no', async () => {
  const dialogs = new ArcoDialogs({ t: () => '取消' });
  const answer = dialogs.confirm({ title: '放弃修改？' });
  await screen.findByRole('dialog');
  dialogs.dispose();
  expect(await answer).toBe(false);
});

test('the browser asks while the file of the dialog cannot be loaded', async () => {
  const ask = rstest.spyOn(window, 'confirm').mockReturnValue(true);
  const dialogs = new ArcoDialogs({ t: () => '取消' }, () => Promise.reject(new Error('offline')));
  expect(await dialogs.confirm({ title: '停止运行？' })).toBe(true);
  await dialogs.confirm({ title: '放弃修改？', content: '修改不会保存' });
  expect(ask.mock.calls).toEqual([['停止运行？'], ['放弃修改？\n修改不会保存']]);
  ask.mockRestore();
});
