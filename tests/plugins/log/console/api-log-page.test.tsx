import { afterEach, beforeEach, expect, test } from '@rstest/core';
import { cleanup, screen, within } from '@testing-library/react';
import { apiLog } from '#plugins/log/contract';
import ApiLogPage, { differencesOf } from '../../../../src/plugins/log/console/ApiLogPage.tsx';
import { rowTitles, showPage } from '../../../support/crud-screen.tsx';

const line = {
  id: '7',
  createTime: '2026-01-01 08:00:00',
  title: '新增或修改',
  createBy: 'admin',
  requestUri: '/api/blade-system/param/submit',
  method: 'POST',
  statusCode: 200,
  time: '12',
  remoteIp: '10.0.0.1',
};
const changes = [
  { entity: 'param', id: '9', before: { paramValue: 'red', paramName: 'lamp', updateTime: 'x' }, after: { paramValue: 'blue', paramName: 'lamp' } },
];

beforeEach(() => localStorage.clear());
afterEach(cleanup);

test('a write is shown with the old and new value of each field', async () => {
  const { press } = await showPage(<ApiLogPage />, {
    codes: ['log_api', 'log_api_view'],
    answers: {
      [apiLog.list.path]: () => ({ records: [line], total: 1, totalExact: true, size: 10, current: 1, pages: 1 }),
      [apiLog.detail.path]: () => ({ ...line, params: '{"id":"9","paramValue":"blue"}', changes }),
    },
  });
  await press(rowTitles()[0] as HTMLElement);
  const table = within(await screen.findByRole('table', { name: '修改 param 9' }));
  expect(table.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual(['paramValue']);
  expect(table.getByRole('row', { name: 'paramValue red blue' })).toBeTruthy();
  expect(table.getByText('其余 1 个字段未变')).toBeTruthy();
  expect(screen.getByText(/"paramValue": "blue"/)).toBeTruthy();
});

test('an added row has no old values, a removed one no new ones, and empty values are no difference', () => {
  expect(differencesOf({ entity: 'lamp', id: '1', after: { name: 'a', remark: null, createTime: 'now' } })).toEqual({
    verb: 'added',
    fields: [{ name: 'name', before: undefined, after: 'a' }],
    unchanged: 0,
  });
  expect(differencesOf({ entity: 'lamp', id: '1', before: { tags: [1], lit: false }, after: null })).toMatchObject({
    verb: 'removed',
    fields: [
      { name: 'tags', before: '[\n 1\n]', after: undefined },
      { name: 'lit', before: 'false' },
    ],
  });
});
