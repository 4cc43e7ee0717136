import { afterEach, expect, test } from '@rstest/core';
import { act, cleanup, screen } from '@testing-library/react';
import { useState } from 'react';
import * as Type from 'typebox';
import { Http } from '../../../../src/kernel/platform/http/http.ts';
import { type QueryOptions, useQuery } from '../../../../src/kernel/platform/http/use-query.ts';
import { get } from '../../../../src/shared/contract/contract.ts';
import { showPage } from '../../../support/crud-screen.tsx';

const call = get('/api/lamps', { title: ['灯', 'Lamps'], access: 'signedIn', input: Type.Object({ name: Type.String() }), reply: Type.String() });
type Options = QueryOptions<string>;
afterEach(cleanup);

function Lamps({ options }: { readonly options: Options }) {
  const [name, setName] = useState('a');
  const { data, error, isPending, isFetching, refetch } = useQuery(call, { name }, options);
  return (
    <>
      <p role="status">{[data, error?.message, isPending && 'pending', isFetching && 'fetching'].filter(Boolean).join(' ')}</p>
      <button type="button" onClick={() => setName('b')}>
        next
      </button>
      <button type="button" onClick={refetch}>
        again
      </button>
    </>
  );
}
const shown = () => screen.getByRole('status').textContent;
const press = (name: string) => act(async () => screen.getByRole('button', { name }).click());

interface Waiting {
  readonly name: unknown;
  readonly quiet: boolean | undefined;
  readonly signal: AbortSignal | undefined;
  readonly answer: (data: string, code?: 200 | 400) => Promise<void>;
}

/** Shows lamps whose answers are given in any order. */
async function show(options: Options = {}) {
  const waiting: Waiting[] = [];
  const send: Http['send'] = (_, input, { quiet, signal } = {}) =>
    new Promise((resolve) => {
      const answer = (data: string, code = 200) =>
        act(async () => resolve((code === 200 ? { success: true, code, data, msg: '' } : { success: false, code, data: null, msg: data }) as never));
      waiting.push({ name: (input as { name: string }).name, quiet, signal, answer });
    });
  const page = await showPage(<Lamps options={options} />, { answers: {}, services: [[Http, { send }]] });
  return { page, waiting };
}

test('data of another input disappears, and a late answer never replaces a newer one', async () => {
  const { waiting } = await show();
  expect(shown()).toBe('pending fetching');
  await press('next');
  await waiting[1]?.answer('B');
  await waiting[0]?.answer('A');
  expect(waiting.map(({ name, signal }) => [name, signal?.aborted])).toEqual([
    ['a', true],
    ['b', false],
  ]);
  expect(shown()).toBe('B');
});

test('previous data stays where the component wants it', async () => {
  const { waiting } = await show({ keepPreviousData: true });
  await waiting[0]?.answer('A');
  await press('next');
  expect(shown()).toBe('A fetching');
  await waiting[1]?.answer('B');
  expect(shown()).toBe('B');
});

test('data stays while the same input is sent again, also when that fails', async () => {
  const { waiting } = await show();
  await waiting[0]?.answer('A');
  await press('again');
  expect(shown()).toBe('A fetching');
  await waiting[1]?.answer('坏了', 400);
  expect(shown()).toBe('A 坏了');
});

test('nothing is sent until the query is enabled', async () => {
  const { waiting } = await show({ enabled: false });
  expect(shown()).toBe('pending');
  expect(waiting).toEqual([]);
});

test('a query polls as long as its data wants it', async () => {
  const { waiting } = await show({ refetchIntervalMs: (data) => (data === 'running' ? 1 : undefined) });
  await waiting[0]?.answer('running');
  await act(() => new Promise((resolve) => setTimeout(resolve, 30)));
  expect(waiting).toHaveLength(2);
  await waiting[1]?.answer('done');
  await act(() => new Promise((resolve) => setTimeout(resolve, 30)));
  expect(waiting).toHaveLength(2);
});

test('a tab that is shown again reads again in the background, unless the component does not want it', async () => {
  for (const refetchOnMount of [true, false]) {
    const { page, waiting } = await show({ refetchOnMount });
    await waiting[0]?.answer('A');
    await page.hideTab();
    await page.showTab();
    expect(shown()).toBe('A');
    expect(waiting).toHaveLength(refetchOnMount ? 2 : 1);
    cleanup();
  }
});
