import { Button, DatePicker } from '@arco-design/web-react';
import dayjs from 'dayjs';
import { Suspense, useState } from 'react';
import { Link } from 'react-router-dom';
import { LoadedPart, lazyComponent, moneyText, useAddressText, useQuery, useRowsLink, useToday, useTranslation } from '#kernel';
import type { ReplyOf } from '#shared/contract';
import { type FigureRows, rowsOf } from '#shared/figures';
import { type AccountBalance, accountNameOf, type LedgerRow, ledger, ledgerAccounts, maxAdvertiserBalances, trialBalance } from '../contract.ts';
import styles from './closing.module.css';
import { closingMessages } from './closing-messages.ts';

const JournalPanel = lazyComponent(() => import('./JournalPanel.tsx'));

interface TrialBalanceProps {
  readonly month: string;
  readonly lastDay: string;
}

/** Shows the accounts from the first day of a month until a day of it, and the advertisers of the selected account. Amounts lead to their postings. */
export function TrialBalance({ month, lastDay }: TrialBalanceProps) {
  const t = useTranslation();
  const today = useToday();
  const [chosenDay, setDay] = useAddressText('day');
  const [chosenAccount, setAccount] = useAddressText('account');
  const [isJournalShown, setIsJournalShown] = useState(false);
  const last = lastDay < today ? lastDay : today;
  const day = chosenDay.startsWith(`${month}-`) ? chosenDay : lastDay.startsWith(today.slice(0, 7)) ? last : lastDay;
  const account = Number(chosenAccount) || ledgerAccounts.advertiser;
  const query = useQuery(trialBalance, { day, account }, { quiet: true, keepPreviousData: true });
  return (
    <section className={styles.card} aria-label={t(closingMessages.trialBalance)} aria-busy={query.isFetching}>
      <div className={styles.bar}>
        <h2>{t(closingMessages.trialBalance)}</h2>
        <span className={styles.until}>
          {t(closingMessages.until)}
          <DatePicker
            aria-label={t(closingMessages.until)}
            allowClear={false}
            value={day}
            disabledDate={(date) => !dayjs(date.valueOf()).format('YYYY-MM-DD').startsWith(`${month}-`)}
            onChange={(text) => setDay(text === lastDay ? '' : text)}
          />
        </span>
        <span className={styles.actions}>
          <Button onClick={() => setIsJournalShown(true)}>{t(closingMessages.journal)}</Button>
        </span>
      </div>
      <LoadedPart query={query}>
        {(data) => <Balances data={data} day={day} account={account} onAccount={(one) => setAccount(one === ledgerAccounts.advertiser ? '' : String(one))} />}
      </LoadedPart>
      <Suspense>{isJournalShown && <JournalPanel from={`${month}-01`} until={day} onClose={() => setIsJournalShown(false)} />}</Suspense>
    </section>
  );
}

interface BalancesProps {
  readonly data: ReplyOf<typeof trialBalance>;
  readonly day: string;
  readonly account: number;
  readonly onAccount: (account: number) => void;
}

function Balances({ data, day, account, onAccount }: BalancesProps) {
  const t = useTranslation();
  const rows = (filters: Parameters<typeof rowsOf<LedgerRow>>[1]) =>
    rowsOf(ledger, filters, [
      { field: 'createTime', operator: 'datege', value: `${data.from} 00:00:00` },
      { field: 'createTime', operator: 'datelt', value: `${dayjs(day).add(1, 'day').format('YYYY-MM-DD')} 00:00:00` },
    ]);
  const selected = data.accounts.find((one) => one.account === account);
  if (data.accounts.length === 0) return <p className={styles.none}>{t(closingMessages.none)}</p>;
  return (
    <>
      <div className={styles.scroll}>
        <table className={`${styles.table} ${styles.accounts}`} aria-label={t(closingMessages.trialBalance)}>
          <Heading first={[closingMessages.code, closingMessages.name]} debit={closingMessages.debit} credit={closingMessages.credit} />
          <tbody>
            {data.accounts.map((one) => (
              <tr key={one.account} className={one.account === account ? styles.selected : undefined}>
                <td>{one.code}</td>
                <th scope="row">
                  <button type="button" aria-pressed={one.account === account} onClick={() => onAccount(one.account)}>
                    {t(accountNameOf(one.name))}
                  </button>
                </th>
                <Sums sums={one} rows={rows({ account: one.account })} />
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <td />
              <th scope="row">{t(closingMessages.total)}</th>
              <Sums sums={totalOf(data.accounts)} />
            </tr>
          </tfoot>
        </table>
      </div>
      {selected && <h3>{t(closingMessages.partOf, { name: t(accountNameOf(selected.name)) })}</h3>}
      {data.advertisers.length === 0 ? (
        <p className={styles.none}>{t(closingMessages.none)}</p>
      ) : (
        <div className={styles.scroll}>
          <table className={styles.table} aria-label={t(closingMessages.partOf, { name: t(accountNameOf(selected?.name ?? '')) })}>
            <Heading first={[closingMessages.advertiser]} debit={closingMessages.expense} credit={closingMessages.income} />
            <tbody>
              {data.advertisers.map((one) => (
                <tr key={one.advertiserId}>
                  <th scope="row">{one.name}</th>
                  <Sums sums={one} rows={rows({ account, advertiserId: one.advertiserId })} />
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {data.isCut && <p className={styles.none}>{t(closingMessages.truncated, { count: maxAdvertiserBalances })}</p>}
    </>
  );
}

type ClosingMessage = (typeof closingMessages)[keyof typeof closingMessages];

function Heading({ first, debit, credit }: { readonly first: readonly ClosingMessage[]; readonly debit: ClosingMessage; readonly credit: ClosingMessage }) {
  const t = useTranslation();
  return (
    <thead>
      <tr>
        {[...first, closingMessages.opening, debit, credit, closingMessages.closing].map((title) => (
          <th key={title[1]} scope="col">
            {t(title)}
          </th>
        ))}
      </tr>
    </thead>
  );
}

type Movements = Pick<AccountBalance, 'opening' | 'debit' | 'credit' | 'closing'>;

const totalOf = (accounts: readonly Movements[]): Movements => {
  const sum = (name: keyof Movements) => accounts.reduce((total, one) => total + one[name], 0);
  return { opening: sum('opening'), debit: sum('debit'), credit: sum('credit'), closing: sum('closing') };
};

/** Renders the cells of an account or an advertiser; debits and credits lead to their postings. */
function Sums({ sums: { opening, debit, credit, closing }, rows }: { readonly sums: Movements; readonly rows?: FigureRows }) {
  const to = useRowsLink()(rows);
  const linked = (amount: number) => (amount !== 0 && to ? <Link to={to}>{moneyText(amount)}</Link> : moneyText(amount));
  return (
    <>
      <td>
        <Balance amount={opening} />
      </td>
      <td>{linked(debit)}</td>
      <td>{linked(credit)}</td>
      <td>
        <Balance amount={closing} />
      </td>
    </>
  );
}

/** Renders a balance with its side; a credit is positive. */
function Balance({ amount }: { readonly amount: number }) {
  const t = useTranslation();
  if (amount === 0) return moneyText(0);
  return (
    <>
      <small>{t(amount > 0 ? closingMessages.creditSide : closingMessages.debitSide)}</small> {moneyText(Math.abs(amount))}
    </>
  );
}
