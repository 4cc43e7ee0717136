import { afterEach, expect, test } from '@rstest/core';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { SubmitButton } from '../../../../src/kernel/ui/fields/SubmitButton.tsx';

afterEach(cleanup);

test('a busy button keeps its focus and submits nothing', () => {
  let submits = 0;
  const form = (isBusy: boolean) => (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submits += 1;
      }}
    >
      <SubmitButton isBusy={isBusy}>保存</SubmitButton>
    </form>
  );
  const { rerender } = render(form(false));
  const button = screen.getByRole('button', { name: '保存' });
  button.focus();
  fireEvent.click(button);
  expect(submits).toBe(1);
  rerender(form(true));
  fireEvent.click(button);
  expect([submits, document.activeElement === button, button.getAttribute('aria-disabled')]).toEqual([1, true, 'true']);
  rerender(form(false));
  fireEvent.click(button);
  expect(submits).toBe(2);
});
