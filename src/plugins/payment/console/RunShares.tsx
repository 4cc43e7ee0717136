import { Link } from 'react-router-dom';
import { moneyText, useQuery, useRowsLink, useTranslation } from '#kernel';
import { advertiser } from '#plugins/base-data/contract';
import { type PaymentRunRow, paymentRun, payout } from '../contract.ts';
import { runMessages } from './messages.ts';
import styles from './payment.module.css';

/** Shows the shares of the advertisers in a payment run. */
export function RunShares({ row: { id, runNo, state } }: { readonly row: PaymentRunRow }) {
  const t = useTranslation();
  const linkOf = useRowsLink();
  const { data } = useQuery(paymentRun.shares, { id }, { quiet: true, refetchKey: state });
  if (!data) return null;
  const all = linkOf({ menu: payout.menu, list: payout.list.path, filters: { batchNo: runNo } });
  return (
    <>
      <table className={styles.shares} aria-label={t(runMessages.shares)}>
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
            const to = linkOf({ menu: advertiser.menu, list: advertiser.list.path, filters: { name } });
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
      {all && (
        <p className={styles.more}>
          <Link to={all}>{t(runMessages.all)}</Link>
        </p>
      )}
    </>
  );
}
