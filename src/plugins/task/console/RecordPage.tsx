import { Radio } from '@arco-design/web-react';
import dayjs from 'dayjs';
import { useState } from 'react';
import { CrudPage, SidePanel, useQuery, useToday, useTranslation } from '#kernel';
import { audit, auditRecords, type SubmissionRow } from '../contract.ts';
import { recordMenu } from '../menus.ts';
import { reviewStates } from '../state-contract.ts';
import { consoleMessages, recordMessages } from './messages.ts';
import styles from './Workbench.module.css';

const periods = [1, 7, 30] as const;

/** Shows the number of decisions per auditor in the last days. */
function AuditorStatistics() {
  const t = useTranslation();
  const today = useToday();
  const [days, setDays] = useState<number>(1);
  const from = dayjs(today)
    .subtract(days - 1, 'day')
    .format('YYYY-MM-DD');
  const { data: rows } = useQuery(audit.figures, days === 1 ? {} : { from });
  const title = (count: number) => (count === 1 ? t(consoleMessages.today) : t(consoleMessages.days, { count }));
  return (
    <div className={styles.figures} aria-busy={!rows}>
      <Radio.Group type="button" value={days} onChange={setDays} options={periods.map((count) => ({ value: count, label: title(count) }))} />
      <table>
        <thead>
          <tr>
            <th scope="col">{t(consoleMessages.auditor)}</th>
            <th scope="col">{t(consoleMessages.approved)}</th>
            <th scope="col">{t(consoleMessages.rejected)}</th>
            <th scope="col">{t(consoleMessages.share)}</th>
          </tr>
        </thead>
        <tbody>
          {rows?.map(({ auditUser, auditorName, passed, rejected }) => (
            <tr key={auditUser}>
              <td>{auditorName}</td>
              <td>{passed}</td>
              <td>{rejected}</td>
              <td>{Math.round((100 * passed) / (passed + rejected))}%</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows?.length === 0 && <p>{t(consoleMessages.noReviews)}</p>}
    </div>
  );
}

/** Hides the payment of rejected work, which is owed nothing. */
const unlessRejected = ({ auditStatus }: SubmissionRow) => (auditStatus === reviewStates.rejected ? null : undefined);

/** Lists decisions with auditor, reason and payment state, and the number of decisions per auditor. */
export default function RecordPage() {
  const t = useTranslation();
  const [isStatisticsOpen, setIsStatisticsOpen] = useState(false);
  return (
    <>
      <CrudPage
        crud={auditRecords}
        title={recordMenu.title}
        empty={{ title: recordMessages.emptyTitle, hint: recordMessages.emptyHint }}
        fields={['taskTitle', 'nickName', 'auditStatus', 'reason', 'auditorName', 'auditTime', 'amount', 'payStatus', 'submitTime', 'platformAccount']}
        columns={{ submitTime: { hidden: true }, platformAccount: { hidden: true }, amount: { render: unlessRejected }, payStatus: { render: unlessRejected } }}
        actions={{ toolbar: [{ title: consoleMessages.figures, onClick: () => setIsStatisticsOpen(true) }] }}
        details
      />
      <SidePanel open={isStatisticsOpen} title={t(consoleMessages.figures)} width={520} onClose={() => setIsStatisticsOpen(false)}>
        <AuditorStatistics />
      </SidePanel>
    </>
  );
}
