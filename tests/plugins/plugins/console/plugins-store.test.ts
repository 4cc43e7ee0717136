import { expect, test } from '@rstest/core';
import { plugins } from '#plugins/plugins/contract';
import { PluginsStore } from '../../../../src/plugins/plugins/console/plugins-store.ts';

test('each of two plugins that are toggled at once is pending until its own answer', async () => {
  const answers = new Map<string, () => void>();
  const send = async (call: unknown, { id }: { id: string }) => {
    if (call === plugins.setEnabled) await new Promise<void>((resolve) => answers.set(id, resolve));
    return { success: true, data: [] };
  };
  const store = new PluginsStore({ send } as never, '*');
  const first = store.setEnabled('task', false);
  const second = store.setEnabled('payment', false);
  expect(store.state.togglingIds).toEqual(['task', 'payment']);
  answers.get('task')?.();
  await first;
  expect(store.state.togglingIds).toEqual(['payment']);
  answers.get('payment')?.();
  expect(await second).toBe(true);
  expect(store.state.togglingIds).toEqual([]);
});
