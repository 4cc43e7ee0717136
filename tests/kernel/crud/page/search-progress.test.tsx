import { afterEach, beforeEach, expect, test } from '@rstest/core';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { apiLog } from '#plugins/log/contract';
import ApiLogPage from '../../../../src/plugins/log/console/ApiLogPage.tsx';
import { showPage } from '../../../support/crud-screen.tsx';

const line = (id: number) => ({
  id: String(id),
  createTime: '2026-01-01 08:00:00',
  title: '灯',
  createBy: 'ann',
  requestUri: `/api/lamp/${id}`,
  method: 'GET',
  statusCode: 200,
  time: '1',
  remoteIp: '::1',
});
const [from, middle, to] = ['2026-01-01 00:00:00', '2026-01-02 00:00:00', '2026-01-03 00:00:00'];
const nowhere = { [apiLog.destination.path]: () => ({ stored: true }) };
const page = (ids: readonly number[], reached: string) => ({
  records: ids.map(line),
  total: ids.length,
  totalExact: reached === from,
  size: 10,
  current: 1,
  pages: 1,
  searched: { from, to, reached },
});

beforeEach(() => localStorage.clear());
afterEach(cleanup);

test('a search goes on by itself, shows rows as they are found and says which times it has searched', async () => {
  const requests: unknown[] = [];
  let reply: (value: object) => void = () => {};
  await showPage(<ApiLogPage />, {
    codes: ['log_api'],
    language: 'en',
    answers: {
      ...nowhere,
      [apiLog.list.path]: (input: { searchedTo?: string; size?: number }) => {
        requests.push([input.searchedTo, input.size]);
        return input.searchedTo === undefined ? page([1], middle) : new Promise((resolve) => (reply = resolve));
      },
    },
  });
  expect(await screen.findByText(`Searched back to ${middle} · 50%`)).toBeTruthy();
  expect(await screen.findByText('/api/lamp/1')).toBeTruthy();
  expect(screen.getByRole('progressbar').getAttribute('value')).toBe('50');
  reply(page([2, 3], from));
  expect(await screen.findByText(`Searched ${from} to ${to}. To find earlier entries, choose a longer time range.`)).toBeTruthy();
  for (const id of [1, 2, 3]) expect(await screen.findByText(`/api/lamp/${id}`)).toBeTruthy();
  expect(requests).toEqual([
    [undefined, 10],
    [middle, 9],
  ]);
});

test('a search is stopped with its rows and resumed where it was', async () => {
  const requests: (string | undefined)[] = [];
  const { press } = await showPage(<ApiLogPage />, {
    codes: ['log_api'],
    answers: {
      ...nowhere,
      [apiLog.list.path]: ({ searchedTo }: { searchedTo?: string }) => {
        requests.push(searchedTo);
        if (searchedTo === undefined) return page([1], middle);
        return requests.length > 2 ? page([2], from) : new Promise(() => {});
      },
    },
  });
  await press(await screen.findByRole('button', { name: '停止' }));
  expect(await screen.findByText(`搜索已停止，已搜索到 ${middle} · 50%`)).toBeTruthy();
  expect(await screen.findByText('/api/lamp/1')).toBeTruthy();
  await press(screen.getByRole('button', { name: '继续搜索' }));
  await waitFor(() => expect(screen.getByText('/api/lamp/2')).toBeTruthy());
  expect(requests).toEqual([undefined, middle, middle]);
});

test('a log that is sent elsewhere says where its entries are', async () => {
  await showPage(<ApiLogPage />, {
    codes: ['log_api'],
    language: 'en',
    answers: {
      [apiLog.destination.path]: () => ({ host: 'clickhouse.internal:8443', stored: false }),
      [apiLog.list.path]: () => ({ records: [], total: 0, totalExact: true, size: 10, current: 1, pages: 0 }),
    },
  });
  expect(await screen.findByText(/^Entries are sent to clickhouse\.internal:8443 and no longer stored here\./)).toBeTruthy();
});
