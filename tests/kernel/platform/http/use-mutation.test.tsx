import { afterEach, expect, test } from '@rstest/core';
import { act, cleanup, screen } from '@testing-library/react';
import { TransportError } from '../../../../src/kernel/platform/http/transport-error.ts';
import { useMutation } from '../../../../src/kernel/platform/http/use-mutation.ts';
import { Ids, NoContent, post } from '../../../../src/shared/contract/contract.ts';
import { showPage } from '../../../support/crud-screen.tsx';
import { Refused } from '../../../support/scripted-http.ts';

const call = post('/api/lamps/light', { title: ['点亮', 'Light'], access: 'signedIn', input: Ids, reply: NoContent });
const lit: unknown[] = [];
afterEach(() => {
  cleanup();
  lit.length = 0;
});

function Light({ quiet = false }: { readonly quiet?: boolean }) {
  const { isPending, error, mutate } = useMutation(call, { quiet, onSuccess: (_, input) => lit.push(input) });
  return (
    <button type="button" aria-busy={isPending} onClick={() => void mutate({ ids: ['7'] })}>
      {error ?? 'light'}
    </button>
  );
}
const button = () => screen.getByRole('button');
const show = (answer: () => unknown, quiet = false) => showPage(<Light quiet={quiet} />, { answers: { [call.path]: answer } });

test('an action is sent once, however often it is started while it is pending', async () => {
  const page = await show(() => null);
  page.http.hold();
  await act(async () => {
    button().click();
    button().click();
  });
  expect(button().getAttribute('aria-busy')).toBe('true');
  await act(async () => page.http.release());
  expect(page.inputs(call)).toEqual([{ ids: ['7'] }]);
  expect(lit).toEqual([{ ids: ['7'] }]);
  expect(button().getAttribute('aria-busy')).toBe('false');
});

test('the message of a refusal stays until the next attempt', async () => {
  let answer: unknown = new Refused(400, '已点亮');
  const page = await show(() => answer, true);
  await page.press(button());
  expect([button().textContent, lit]).toEqual(['已点亮', []]);
  answer = null;
  await page.press(button());
  expect([button().textContent, lit.length]).toEqual(['light', 1]);
});

test('an action without an answer shows a toast, unless the component shows the error itself', async () => {
  const unanswered = () => {
    throw new TransportError('offline');
  };
  const page = await show(unanswered);
  await page.press(button());
  expect(page.messages).toEqual(['error: 网络已断开，请检查网络连接']);
  cleanup();
  const quiet = await show(unanswered, true);
  await quiet.press(button());
  expect([quiet.messages, button().textContent]).toEqual([[], '网络已断开，请检查网络连接']);
});
