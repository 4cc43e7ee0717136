import { IconCheckCircleFill, IconCloseCircleFill, IconExclamationCircleFill } from '@arco-design/web-react/icon';
import dayjs from 'dayjs';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { moneyText, useRowsLink, useTranslation } from '#kernel';
import { traitsOf } from '#shared/fields';
import type { FigureRows } from '#shared/figures';
import { dayStates, type LedgerMismatch, LedgerPosting, ledger, ledgerAccounts, type MonthChecks, payout, reconciliation } from '../contract.ts';
import styles from './closing.module.css';
import { closingMessages } from './closing-messages.ts';

const icons = { good: IconCheckCircleFill, warning: IconExclamationCircleFill, danger: IconCloseCircleFill };
const maxNamedDays = 5;
const accounts = traitsOf(LedgerPosting.fields.account)?.options ?? [];

/** Lists the checks before a month is closed, each with the rows behind it. Imbalances prevent the close; what is open in the reconciliation only has to be confirmed. */
export function ClosingChecks({ checks }: { readonly checks: MonthChecks }) {
  const t = useTranslation();
  const { month, difference, mismatches, openDifferences, openDays, uncomparedDays } = checks;
  const days = uncomparedDays.slice(0, maxNamedDays).map((day) => day.slice(5));
  const named = uncomparedDays.length > maxNamedDays ? t(closingMessages.more, { days: days.join(', ') }) : days.join(', ');
  return (
    <ul className={styles.checks} aria-label={t(closingMessages.checks)}>
      <Check tone={difference === 0 ? 'good' : 'danger'}>
        {difference === 0 ? t(closingMessages.balanced) : t(closingMessages.notBalanced, { amount: moneyText(Math.abs(difference)) })}
      </Check>
      <Check tone={mismatches.length === 0 ? 'good' : 'danger'}>
        {mismatches.length === 0 ? t(closingMessages.sound) : t(closingMessages.mismatched, { count: mismatches.length })}
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
        {uncomparedDays.length === 0 ? t(closingMessages.compared) : t(closingMessages.uncompared, { count: uncomparedDays.length, days: named })}
      </Check>
    </ul>
  );
}

/** Days of a month in the reconciliation. */
const daysOf = (month: string, state?: number): FigureRows => ({
  menu: reconciliation.menu,
  list: reconciliation.list.path,
  ...(state === undefined ? {} : { filters: { state } }),
  conditions: [
    { field: 'day', operator: 'datege', value: `${month}-01` },
    { field: 'day', operator: 'datelt', value: dayjs(`${month}-01`).add(1, 'month').format('YYYY-MM-DD') },
  ],
});

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
  const to = useRowsLink()(rowsOf(what, id));
  const name = t(accounts.find(([account]) => String(account) === id)?.[1] ?? ['', '']);
  const text = t(closingMessages[what === 'running' ? 'balance' : what], { id, name, kept: moneyText(kept), added: moneyText(added) });
  return (
    <li>
      {text} {to && <Link to={to}>{t(closingMessages.show)}</Link>}
    </li>
  );
}

/** Rows behind an imbalance. */
function rowsOf(what: LedgerMismatch['what'], id: string): FigureRows {
  const postings = { menu: ledger.menu, list: ledger.list.path };
  if (what === 'entry') return { ...postings, filters: { entryId: id } };
  if (what === 'account') return { ...postings, filters: { account: id } };
  if (what === 'payouts') return { menu: payout.menu, list: payout.list.path };
  return { ...postings, filters: what === 'balance' ? { advertiserId: id, account: ledgerAccounts.advertiser } : { advertiserId: id } };
}
