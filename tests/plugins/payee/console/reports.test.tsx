import { afterEach, beforeEach, expect, rs, test } from '@rstest/core';
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { Session } from '#kernel';
import ReportPage from '../../../../src/plugins/payee/console/ReportPage.tsx';
import { platformReport } from '../../../../src/plugins/payee/contract.ts';
import { showPage } from '../../../support/crud-screen.tsx';

beforeEach(cleanup);
afterEach(() => void rs.restoreAllMocks());

const answers = {
  [platformReport.compile.path]: () => ({ id: '1' }),
  [platformReport.list.path]: () => ({ records: [], total: 0, totalExact: true, size: 10, current: 1, pages: 0 }),
};

// At this instant it is October east of Greenwich and September in the west: a device can be in one of the zones only.
test.each([
  ['Pacific/Kiritimati', '2026-Q3'],
  ['Etc/GMT+12', '2026-Q2'],
])('a report is offered for the quarter that is over in the zone of the deployment: %s', async (time_zone, quarter) => {
  const { now } = Date;
  const ahead = Date.parse('2026-09-30T11:30:00Z') - now();
  rs.spyOn(Date, 'now').mockImplementation(() => now() + ahead);
  const session = { user: { user_id: '1', tenant_id: '000000', time_zone } };
  const { press, inputs } = await showPage(
    <MemoryRouter>
      <ReportPage />
    </MemoryRouter>,
    { answers, codes: [platformReport.list.path, 'platform_report_add'], services: [[Session, session]] },
  );
  fireEvent.click(screen.getAllByRole('button', { name: '编制报告' })[0] as HTMLElement);
  const form = within(await screen.findByRole('dialog'));
  expect((form.getByLabelText(/所属季度/) as HTMLInputElement).value).toBe(quarter);
  await press(form.getByRole('button', { name: '编制报告' }));
  expect(inputs(platformReport.compile)).toEqual([{ quarter }]);
});
