import { Link } from 'react-router-dom';
import { moneyText, useQuery, useRowsLink, useTranslation } from '#kernel';
import { advertiser } from '#plugins/base-data/contract';
import { type PaymentRunRow, paymentRun } from '../contract.ts';
import { runMessages } from './messages.ts';
import styles from './payment.module.css';

/** Shows the shares of the advertisers in a payment run. */
export function RunShares({ row: { id, state } }: { readonly row: PaymentRunRow }) {
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
    </div>
  );
}
