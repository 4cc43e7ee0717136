import { Button, DatePicker } from '@arco-design/web-react';
import { IconCheckCircleFill, IconCloseCircleFill, IconExclamationCircleFill } from '@arco-design/web-react/icon';
import dayjs from 'dayjs';
import { type ReactNode, Suspense, useState } from 'react';
import { Link } from 'react-router-dom';
import {
  Dialogs,
  Http,
  LoadedPart,
  lazyComponent,
  moneyText,
  Tag,
  Toasts,
  useAddressText,
  useCan,
  useMutation,
  useQuery,
  useRowsLink,
  useService,
  useTranslation,
} from '#kernel';
import { traitsOf } from '#shared/fields';
import { type FigureRows, rowsOf } from '#shared/figures';
import { dayStates, type LedgerMismatch, LedgerPosting, ledger, ledgerAccounts, ledgerMonth, type MonthChecks, payout, reconciliation } from '../contract.ts';
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
  const [opened, setOpened] = useState<'months' | 'accountTitles'>();
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
            {mayClose && <Button onClick={() => setOpened('accountTitles')}>{t(closingMessages.accountTitles)}</Button>}
            {mayClose && status === 'due' && <CloseButton checks={checks} onClosed={onChanged} />}
          </span>
        </div>
        <ClosingChecks checks={checks} />
      </section>
      <TrialBalance key={month} month={month} lastDay={lastDay} />
      <Suspense>
        {opened === 'months' && <ClosedMonths lastClosed={checks.lastClosed?.id} onChanged={onChanged} onClose={close} />}
        {opened === 'accountTitles' && <AccountTitles onClose={close} />}
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

const icons = { good: IconCheckCircleFill, warning: IconExclamationCircleFill, danger: IconCloseCircleFill };
const maxNamedDays = 5;
const accounts = traitsOf(LedgerPosting.fields.account)?.options ?? [];

/** Lists the checks before a month is closed, each with the rows behind it. An imbalance prevents the close; open items of the reconciliation only have to be confirmed. */
function ClosingChecks({ checks }: { readonly checks: MonthChecks }) {
  const t = useTranslation();
  const { month, difference, mismatches, openDifferences, openDays, uncomparedDays } = checks;
  const days = uncomparedDays.slice(0, maxNamedDays).map((day) => day.slice(5));
  const dayList = uncomparedDays.length > maxNamedDays ? t(closingMessages.more, { days: days.join(', ') }) : days.join(', ');
  return (
    <ul className={styles.checks} aria-label={t(closingMessages.checks)}>
      <Check tone={difference === 0 ? 'good' : 'danger'}>
        {difference === 0 ? t(closingMessages.balanced) : t(closingMessages.notBalanced, { amount: moneyText(Math.abs(difference)) })}
      </Check>
      <Check tone={mismatches.length === 0 ? 'good' : 'danger'}>
        {mismatches.length === 0 ? t(closingMessages.balancesMatch) : t(closingMessages.mismatched, { count: mismatches.length })}
        {mismatches.length > 0 && (
          <ul>
            {mismatches.map((mismatch) => (
              <Mismatch key={JSON.stringify(mismatch)} mismatch={mismatch} />
            ))}
          </ul>
        )}
      </Check>
      <Check
        tone={openDifferences === 0 ? 'good' : 'warning'}
        rows={daysOf(month, dayStates.mismatched)}
        action={openDifferences > 0 && t(closingMessages.resolve)}
      >
        {openDifferences === 0 ? t(closingMessages.resolved) : t(closingMessages.openDifferences, { count: openDifferences, days: openDays })}
      </Check>
      <Check tone={uncomparedDays.length === 0 ? 'good' : 'warning'} rows={daysOf(month)} action={uncomparedDays.length > 0 && t(closingMessages.compare)}>
        {uncomparedDays.length === 0 ? t(closingMessages.compared) : t(closingMessages.uncompared, { count: uncomparedDays.length, days: dayList })}
      </Check>
    </ul>
  );
}

/** Returns the days of a month in the reconciliation. */
const daysOf = (month: string, state?: number) =>
  rowsOf(reconciliation, state === undefined ? {} : { state }, [
    { field: 'day', operator: 'datege', value: `${month}-01` },
    { field: 'day', operator: 'datelt', value: dayjs(`${month}-01`).add(1, 'month').format('YYYY-MM-DD') },
  ]);

interface CheckProps {
  readonly tone: keyof typeof icons;
  readonly rows?: FigureRows;
  /** Text of the link to the rows. */
  readonly action?: string | false;
  readonly children: ReactNode;
}

function Check({ tone, rows, action, children }: CheckProps) {
  const to = useRowsLink()(rows);
  const Icon = icons[tone];
  return (
    <li data-tone={tone}>
      <Icon aria-hidden />
      <div>
        {children} {action && to && <Link to={to}>{action}</Link>}
      </div>
    </li>
  );
}

function Mismatch({ mismatch: { what, id, kept, added } }: { readonly mismatch: LedgerMismatch }) {
  const t = useTranslation();
  const to = useRowsLink()(rowsBehind(what, id));
  const name = t(accounts.find(([account]) => String(account) === id)?.[1] ?? ['', '']);
  const text = t(closingMessages[what === 'running' ? 'balance' : what], { id, name, kept: moneyText(kept), added: moneyText(added) });
  return (
    <li>
      {text} {to && <Link to={to}>{t(closingMessages.show)}</Link>}
    </li>
  );
}

/** Returns the rows that explain an imbalance. */
function rowsBehind(what: LedgerMismatch['what'], id: string): FigureRows {
  if (what === 'payouts') return rowsOf(payout);
  if (what === 'entry') return rowsOf(ledger, { entryId: id });
  if (what === 'account') return rowsOf(ledger, { account: id });
  return rowsOf(ledger, what === 'balance' ? { advertiserId: id, account: ledgerAccounts.advertiser } : { advertiserId: id });
}
