import { Button, Input, Pagination } from '@arco-design/web-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { moneyText, Tag, useQuery, useRowsLink, useTranslation } from '#kernel';
import { advertiser } from '#plugins/base-data/contract';
import { traitsOf } from '#shared/fields';
import { rowsOf } from '#shared/figures';
import { type PayeeSum, type PaymentRunRow, Payout, paymentRun, payout } from '../contract.ts';
import { runMessages } from './messages.ts';
import styles from './payment.module.css';

/** Shows the sums of a payment run by advertiser and by payee. */
export function RunSums({ row }: { readonly row: PaymentRunRow }) {
  return (
    <>
      <RunShares row={row} />
      <RunPayees key={row.id} row={row} />
    </>
  );
}

/** Shows the shares of the advertisers in a payment run. */
function RunShares({ row: { id, state } }: { readonly row: PaymentRunRow }) {
  const t = useTranslation();
  const linkOf = useRowsLink();
  const { data } = useQuery(paymentRun.shares, { id }, { quiet: true, refetchKey: state });
  if (!data) return null;
  return (
    <div className={styles.scroll}>
      <table className={styles.shares}>
        <caption>{t(runMessages.shares)}</caption>
        <thead>
          <tr>
            <th scope="col">{t(runMessages.advertiser)}</th>
            <th scope="col">{t(runMessages.payouts)}</th>
            <th scope="col">{t(runMessages.people)}</th>
            <th scope="col">{t(runMessages.amount)}</th>
          </tr>
        </thead>
        <tbody>
          {data.map(({ advertiserId, name, payouts, people, amount }) => {
            const to = linkOf(rowsOf(advertiser, { name }));
            return (
              <tr key={advertiserId}>
                <th scope="row">{to ? <Link to={to}>{name}</Link> : name}</th>
                <td>{payouts}</td>
                <td>{people}</td>
                <td>{amount === null ? '' : moneyText(amount)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

const pageSize = 10;
const searchDelayMs = 300;
const { options = [], tones = {} } = traitsOf(Payout.fields.state) ?? {};

/** Shows the sums of the payees in a payment run page by page, the largest first. Each leads to the payouts of the payee in the run. */
function RunPayees({ row }: { readonly row: PaymentRunRow }) {
  const { id, runNo, awaiting, processing, paid, failed, refused, people } = row;
  const t = useTranslation();
  const linkOf = useRowsLink();
  const [current, setCurrent] = useState(1);
  const [name, setName] = useState('');
  const query = { id, current, size: pageSize, ...(name ? { name } : {}) };
  const { data, error, isFetching, refetch } = useQuery(paymentRun.payees, query, {
    quiet: true,
    keepPreviousData: true,
    debounceMs: name ? searchDelayMs : 0,
    // The sums by state change while the payouts are sent.
    refetchKey: [awaiting, processing, paid, failed, refused].join(),
  });
  const all = linkOf(rowsOf(payout, { batchNo: runNo }));
  const linkTo = (userId: string | null) => (userId ? linkOf(rowsOf(payout, { batchNo: runNo, userId })) : undefined);
  return (
    <section className={styles.payees} aria-label={t(runMessages.payees)} aria-busy={isFetching}>
      <div className={styles.payeesHead}>
        <strong>{t(runMessages.payees)}</strong>
        {people > pageSize && (
          <Input.Search
            allowClear
            className={styles.find ?? ''}
            aria-label={t(runMessages.findPayee)}
            placeholder={t(runMessages.findPayee)}
            value={name}
            onChange={(text) => {
              setName(text);
              setCurrent(1);
            }}
          />
        )}
      </div>
      {error && (
        <p className={styles.more} role="alert">
          {t(runMessages.payeesFailed)} <Button onClick={refetch}>{t(runMessages.reload)}</Button>
        </p>
      )}
      {data && <PayeeTable payees={data.records} linkTo={linkTo} />}
      {data && data.total > pageSize && <Pagination size="small" current={current} pageSize={pageSize} total={data.total} onChange={setCurrent} />}
      {all && (
        <p className={styles.more}>
          <Link to={all}>{t(runMessages.all)}</Link>
        </p>
      )}
    </section>
  );
}

interface PayeeTableProps {
  readonly payees: readonly PayeeSum[];
  readonly linkTo: (userId: string | null) => string | undefined;
}

function PayeeTable({ payees, linkTo }: PayeeTableProps) {
  const t = useTranslation();
  const money = (amount: number | null) => (amount === null ? '' : moneyText(amount));
  const isTaxed = payees.some(({ withheld }) => withheld !== null && withheld > 0);
  const amounts = isTaxed ? [runMessages.gross, runMessages.withheld, runMessages.net] : [runMessages.amount];
  const columns = [runMessages.payee, runMessages.payouts, ...amounts, runMessages.state];
  return (
    <div className={styles.scroll}>
      <table className={isTaxed ? `${styles.shares} ${styles.wide}` : styles.shares} aria-label={t(runMessages.payees)}>
        <thead>
          <tr>
            {columns.map((title) => (
              <th key={title[1]} scope="col">
                {t(title)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {payees.map(({ userId, name, payouts, amount, withheld, net, states }, index) => {
            const to = linkTo(userId);
            const title = name ?? userId ?? '';
            return (
              <tr key={userId ?? index}>
                <th scope="row">{to ? <Link to={to}>{title}</Link> : title}</th>
                <td>{payouts}</td>
                <td>{money(amount)}</td>
                {isTaxed && (
                  <>
                    <td>{money(withheld)}</td>
                    <td>{money(net)}</td>
                  </>
                )}
                <td className={styles.states}>
                  {states.map(({ state, count }) => (
                    <PayoutCount key={state} state={state} count={count} isAlone={count === payouts && count === 1} />
                  ))}
                </td>
              </tr>
            );
          })}
          {payees.length === 0 && (
            <tr>
              <td colSpan={columns.length}>{t(runMessages.noPayees)}</td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}

/** Shows how many payouts of a payee are in a state; a single payout needs no number. */
function PayoutCount({ state, count, isAlone }: { readonly state: number; readonly count: number; readonly isAlone: boolean }) {
  const t = useTranslation();
  const title = t(options.find(([value]) => value === state)?.[1] ?? ['', '']);
  return <Tag tone={tones[String(state)]}>{isAlone ? title : t(runMessages.stateCount, { state: title, count })}</Tag>;
}
