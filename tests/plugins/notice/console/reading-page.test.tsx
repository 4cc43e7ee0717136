import { afterEach, beforeEach, expect, test } from '@rstest/core';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { notice, readers, reading } from '#plugins/notice/contract';
import NoticePage from '../../../../src/plugins/notice/console/NoticePage.tsx';
import ReadingPage from '../../../../src/plugins/notice/console/ReadingPage.tsx';
import { showPage } from '../../../support/crud-screen.tsx';

const line = { id: '7', title: '放假', category: '1', releaseTime: '2026-01-01 08:00:00', audience: 'all', releasedAt: '2026-01-01 08:00:00' };
const page = <Row,>(...records: Row[]) => ({ records, total: records.length, totalExact: true, size: 10, current: 1, pages: 1 });

beforeEach(() => localStorage.clear());
afterEach(cleanup);

test('a notice is opened beside the list, and then marked as read', async () => {
  const { press, inputs } = await showPage(<ReadingPage />, {
    answers: {
      [reading.list.path]: () => page({ ...line, isRead: false }),
      [reading.open.path]: () => ({ ...line, content: '<p>明天放假</p>' }),
      [reading.read.path]: () => null,
    },
  });
  const title = await screen.findByRole('button', { name: '放假' });
  expect(title.dataset.unread).toBe('true');
  await press(title);
  const sheet = within(await screen.findByRole('dialog', { name: '放假' }));
  await sheet.findByText('明天放假');
  await waitFor(() => expect(inputs(reading.read)).toEqual([{ ids: ['7'] }]));
});

test('authors of notices see the users who have read one and those who have not', async () => {
  const { press } = await showPage(<NoticePage />, {
    codes: ['notice'],
    answers: {
      [notice.list.path]: () => page({ ...line, releasedAt: null, categoryName: '发布通知', readCount: 1 }),
      [readers.list.path]: () =>
        page({ id: '1', account: 'ann', realName: '安', readTime: '2026-01-02 09:00:00' }, { id: '2', account: 'bo', realName: '博', readTime: null }),
    },
  });
  expect(await screen.findByText('待发布')).toBeTruthy();
  await press(screen.getByRole('button', { name: '阅读情况' }));
  const sheet = within(await screen.findByRole('dialog', { name: '阅读情况：放假' }));
  expect(await sheet.findByRole('row', { name: /ann 安 2026-01-02 09:00:00/ })).toBeTruthy();
  expect(sheet.getByRole('row', { name: /bo 博 未读/ })).toBeTruthy();
});
