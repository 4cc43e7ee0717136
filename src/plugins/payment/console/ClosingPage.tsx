import { Button, DatePicker } from '@arco-design/web-react';
import { Suspense, useState } from 'react';
import { Dialogs, Http, LoadedPart, lazyComponent, Tag, Toasts, useAddressText, useCan, useMutation, useQuery, useService, useTranslation } from '#kernel';
import { ledgerMonth, type MonthChecks } from '../contract.ts';
import { ClosingChecks } from './ClosingChecks.tsx';
import styles from './closing.module.css';
import { closingMessages, monthStatus } from './closing-messages.ts';
import { TrialBalance } from './TrialBalance.tsx';

const ClosedMonths = lazyComponent(() => import('./ClosedMonths.tsx'));
const AccountTitles = lazyComponent(() => import('./AccountTitles.tsx'));

/** Closes the months of the ledger. Top task: close the last month, 2 clicks: close, confirm. Below are its trial balance and the journal for accounting. */
export default function ClosingPage() {
  const [month, setMonth] = useAddressText('month', { resets: ['day', 'account'] });
  const query = useQuery(ledgerMonth.checks, month ? { month } : {}, { quiet: true, keepPreviousData: true });
  return (
    <div className={styles.page} aria-busy={query.isFetching}>
      <LoadedPart query={query}>{(checks) => <Month checks={checks} onSelect={setMonth} onChanged={query.refetch} />}</LoadedPart>
    </div>
  );
}

interface MonthProps {
  readonly checks: MonthChecks;
  readonly onSelect: (month: string) => void;
  readonly onChanged: () => void;
}

function Month({ checks, onSelect, onChanged }: MonthProps) {
  const t = useTranslation();
  const mayClose = useCan('ledger_close');
  const [opened, setOpened] = useState<'months' | 'titles'>();
  const close = () => setOpened(undefined);
  const { month, status, next, lastDay } = checks;
  return (
    <>
      <section className={styles.card}>
        <div className={styles.bar}>
          <DatePicker.MonthPicker aria-label={t(closingMessages.month)} allowClear={false} value={month} onChange={onSelect} />
          <Tag tone={monthStatus[status].tone}>{t(monthStatus[status].title)}</Tag>
          {next !== null && status === 'later' && (
            <Button type="text" size="small" onClick={() => onSelect(next)}>
              {t(closingMessages.toNext, { month: next })}
            </Button>
          )}
          <span className={styles.actions}>
            <Button onClick={() => setOpened('months')}>{t(closingMessages.months)}</Button>
            {mayClose && <Button onClick={() => setOpened('titles')}>{t(closingMessages.titles)}</Button>}
            {mayClose && status === 'due' && <CloseButton checks={checks} onClosed={onChanged} />}
          </span>
        </div>
        <ClosingChecks checks={checks} />
      </section>
      <TrialBalance key={month} month={month} lastDay={lastDay} />
      <Suspense>
        {opened === 'months' && <ClosedMonths lastClosed={checks.lastClosed?.id} onChanged={onChanged} onClose={close} />}
        {opened === 'titles' && <AccountTitles onClose={close} />}
      </Suspense>
    </>
  );
}

function CloseButton({ checks, onClosed }: { readonly checks: MonthChecks; readonly onClosed: () => void }) {
  const t = useTranslation();
  const http = useService(Http);
  const dialogs = useService(Dialogs);
  const toasts = useService(Toasts);
  const { month, difference, mismatches } = checks;
  const { isPending, mutate } = useMutation(async () => {
    const open = { openDifferences: checks.openDifferences, uncomparedDays: checks.uncomparedDays.length };
    const isOpen = open.openDifferences + open.uncomparedDays > 0;
    const title = t(closingMessages.close, { month });
    const content = t(isOpen ? closingMessages.openQuestion : closingMessages.question, { month, ...open });
    if (
      !(await dialogs.confirm({
        title,
        content,
        cancel: t(closingMessages.cancel),
        confirm: t(isOpen ? closingMessages.closeAnyway : ledgerMonth.close.title),
      }))
    )
      return;
    const answer = await http.send(ledgerMonth.close, { month, ...(isOpen ? { confirmed: open } : {}) });
    if (answer.success) toasts.success(t(closingMessages.done, { month }));
    // After a refusal the checks show what has changed.
    onClosed();
  });
  return (
    <Button type="primary" loading={isPending} disabled={difference !== 0 || mismatches.length > 0} onClick={() => void mutate()}>
      {t(closingMessages.close, { month })}
    </Button>
  );
}
