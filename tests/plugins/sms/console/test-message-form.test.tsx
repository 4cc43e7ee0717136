import { afterEach, expect, test } from '@rstest/core';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { sms } from '#plugins/sms/contract';
import { TestMessageForm } from '../../../../src/plugins/sms/console/TestMessageForm.tsx';
import { showPage } from '../../../support/crud-screen.tsx';

afterEach(() => {
  cleanup();
  sessionStorage.clear();
});

test('a test message marks the tab until it is sent, and comes back after a reload', async () => {
  const dirty: boolean[] = [];
  const open = async () => {
    cleanup();
    const page = await showPage(<TestMessageForm code="main" placeholders={['code']} />, {
      answers: { [sms.send.path]: () => null },
      pane: { setDirty: (isDirty) => dirty.push(isDirty) },
    });
    return { ...page, value: () => (screen.getByRole('textbox', { name: 'code' }) as HTMLInputElement).value };
  };
  await open();
  fireEvent.change(screen.getAllByRole('textbox')[0] as HTMLElement, { target: { value: '13800000000' } });
  fireEvent.change(screen.getByRole('textbox', { name: 'code' }), { target: { value: '1234' } });
  expect(dirty.at(-1)).toBe(true);
  const again = await open();
  expect(again.value()).toBe('1234');
  await again.press(screen.getByRole('button'));
  expect(again.inputs(sms.send)).toMatchObject([{ phones: ['13800000000'] }]);
  expect(dirty.at(-1)).toBe(false);
  expect((await open()).value()).toBe('');
});
