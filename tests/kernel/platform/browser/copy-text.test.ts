import { afterEach, expect, rs, test } from '@rstest/core';
import { copyText } from '#kernel';

const lend = (value: unknown) => Object.defineProperty(navigator, 'clipboard', { value, configurable: true });

afterEach(() => {
  Reflect.deleteProperty(navigator, 'clipboard');
  Reflect.deleteProperty(document, 'execCommand');
  document.body.replaceChildren();
});

test('uses the clipboard where there is one', async () => {
  const writeText = rs.fn(async () => undefined);
  lend({ writeText });
  expect(await copyText('13800000000')).toBe(true);
  expect(writeText).toHaveBeenCalledWith('13800000000');
});

test('without HTTPS the text is selected and copied, and the focus is where it was', async () => {
  lend(undefined);
  document.body.innerHTML = '<div role="dialog"><button>copy</button></div>';
  const button = document.querySelector('button');
  button?.focus();
  const copied: string[] = [];
  Object.assign(document, {
    execCommand: (command: string) => {
      const holder = document.querySelector<HTMLTextAreaElement>('[role=dialog] textarea');
      copied.push(`${command} ${holder?.value.slice(holder.selectionStart, holder.selectionEnd)}`);
      return true;
    },
  });
  expect(await copyText('a secret shown once')).toBe(true);
  expect(copied).toEqual(['copy a secret shown once']);
  expect(document.activeElement).toBe(button);
  expect(document.querySelector('textarea')).toBeNull();
});

test('returns false when the browser refuses', async () => {
  lend({ writeText: () => Promise.reject(new Error('denied')) });
  Object.assign(document, { execCommand: () => false });
  expect(await copyText('x')).toBe(false);
});
