import { Button, DatePicker } from '@arco-design/web-react';
import dayjs from 'dayjs';
import { useState } from 'react';
import { createPortal } from 'react-dom';
import { moneyText, SidePanel, usePrinted, useQuery, useToday, useTranslation } from '#kernel';
import { traitsOf } from '#shared/fields';
import { LedgerPosting, type Statement, statements } from '../contract.ts';
import { statementMessages } from './messages.ts';
import styles from './statement.module.css';

interface StatementPanelProps {
  /** Undefined for the statements of all advertisers. */
  readonly advertiserId: string | undefined;
  readonly onClose: () => void;
}

/** Shows the statements of a month and prints them, each advertiser on paper of their own. Top task: print last month's statement, 2 clicks. */
export default function StatementPanel({ advertiserId, onClose }: StatementPanelProps) {
  const t = useTranslation();
  const lastMonth = dayjs(useToday()).subtract(1, 'month').format('YYYY-MM');
  const [month, setMonth] = useState(lastMonth);
  const [isPrinting, setIsPrinting] = useState(false);
  const { data, isFetching } = useQuery(statements, { month, ...(advertiserId ? { advertiserId } : {}) });
  return (
    <SidePanel open title={t(statementMessages.title)} width={920} onClose={onClose}>
      <div className={styles.panel}>
        <div className={styles.bar}>
          <DatePicker.MonthPicker aria-label={t(statementMessages.month)} allowClear={false} value={month} onChange={(text) => setMonth(text)} />
          <Button type="primary" disabled={!data?.length || isFetching} onClick={() => setIsPrinting(true)}>
            {t(statementMessages.print)}
          </Button>
        </div>
        <div aria-busy={isFetching}>
          {data?.length === 0 && <p className={styles.none}>{t(statementMessages.none)}</p>}
          {data?.map((statement) => (
            <Sheet key={statement.advertiserId} statement={statement} month={month} />
          ))}
        </div>
      </div>
      {isPrinting && data && <Paper all={data} month={month} onDone={() => setIsPrinting(false)} />}
    </SidePanel>
  );
}

function Paper({ all, month, onDone }: { readonly all: readonly Statement[]; readonly month: string; readonly onDone: () => void }) {
  usePrinted(onDone);
  return createPortal(
    <main className="print-sheet">
      {all.map((statement) => (
        <Sheet key={statement.advertiserId} statement={statement} month={month} />
      ))}
    </main>,
    document.body,
  );
}

const kinds = traitsOf(LedgerPosting.fields.kind)?.options ?? [];

function Sheet({ statement, month }: { readonly statement: Statement; readonly month: string }) {
  const t = useTranslation();
  const { name, opening, received, refunded, paid, closing, lines } = statement;
  const sums = [
    { title: statementMessages.opening, amount: opening },
    { title: statementMessages.received, amount: received },
    { title: statementMessages.refunded, amount: refunded },
    { title: statementMessages.paid, amount: paid },
    { title: statementMessages.closing, amount: closing },
  ];
  const what = (kind: number) => t(kinds.find(([value]) => value === kind)?.[1] ?? ['', '']);
  return (
    <section className={styles.sheet} aria-label={name}>
      <h3>
        {name} <small>{t(statementMessages.of, { month })}</small>
      </h3>
      <dl className={styles.sums}>
        {sums.map(({ title, amount }) => (
          <div key={title[0]}>
            <dt>{t(title)}</dt>
            <dd>{moneyText(amount)}</dd>
          </div>
        ))}
      </dl>
      {lines.length > 0 && (
        <table className={styles.lines}>
          <thead>
            <tr>
              <th scope="col">{t(statementMessages.day)}</th>
              <th scope="col">{t(statementMessages.business)}</th>
              <th scope="col">{t(statementMessages.note)}</th>
              <th scope="col">{t(statementMessages.amount)}</th>
              <th scope="col">{t(statementMessages.balance)}</th>
            </tr>
          </thead>
          <tbody>
            {lines.map(({ day, kind, task, remark, count, amount, balance }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a statement never changes its order
              <tr key={index}>
                <td>{day}</td>
                <td>
                  {what(kind)}
                  {count > 1 && ` × ${count}`}
                </td>
                <td>{task ?? remark}</td>
                <td>{moneyText(amount)}</td>
                <td>{moneyText(balance)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
