import { afterEach, expect, test } from '@rstest/core';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { DecisionBar } from '../../../../src/plugins/task/console/DecisionBar.tsx';
import { showPage } from '../../../support/crud-screen.tsx';

afterEach(() => {
  cleanup();
  sessionStorage.clear();
});

test('a typed reason marks the tab, comes back after a reload and is gone once it is used', async () => {
  const dirty: boolean[] = [];
  const rejected: string[] = [];
  const open = async () => {
    cleanup();
    const bar = <DecisionBar count={0} reasons={[]} reasonField={null} onApprove={() => {}} onReject={(reason) => rejected.push(reason)} onLater={() => {}} />;
    await showPage(bar, { answers: {}, pane: { setDirty: (isDirty) => dirty.push(isDirty) } });
    return screen.getByRole('textbox') as HTMLInputElement;
  };
  fireEvent.change(await open(), { target: { value: '招牌看不清' } });
  expect(dirty.at(-1)).toBe(true);
  const field = await open();
  expect(field.value).toBe('招牌看不清');
  fireEvent.keyDown(field, { key: 'Enter' });
  expect([rejected, field.value, dirty.at(-1)]).toEqual([['招牌看不清'], '', false]);
  expect((await open()).value).toBe('');
});
