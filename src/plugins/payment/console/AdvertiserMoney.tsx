import { Tooltip } from '@arco-design/web-react';
import { IconQuestionCircle } from '@arco-design/web-react/icon';
import { Link } from 'react-router-dom';
import { moneyText, useCan, useQuery, useRowsLink, useTranslation } from '#kernel';
import type { AdvertiserRow } from '#plugins/base-data/contract';
import { advertiserFunds } from '../contract.ts';
import { ledgerMenu } from '../menus.ts';
import { advertiserMessages } from './messages.ts';
import { type MoneyPartName, moneyParts } from './money-parts.ts';
import styles from './payment.module.css';

/** Shows the money of an advertiser to users of the ledger. Each amount leads to the rows behind it. */
export function AdvertiserMoney({ row: { id, balance, credit_limit } }: { readonly row: AdvertiserRow }) {
  const t = useTranslation();
  const linkOf = useRowsLink();
  const { data } = useQuery(advertiserFunds, { advertiserId: id }, { enabled: useCan(ledgerMenu.code), quiet: true, refetchKey: `${balance} ${credit_limit}` });
  if (!data) return null;
  return (
    <section className={styles.money} aria-label={t(advertiserMessages.money)}>
      <p className={data.isLow ? `${styles.available} ${styles.low}` : styles.available}>
        <span>{t(advertiserMessages.available)}</span>
        <strong>{moneyText(data.available)}</strong>
        <small>{t(data.available < 0 ? advertiserMessages.overdrawn : data.isLow ? advertiserMessages.low : advertiserMessages.formula)}</small>
      </p>
      <dl className={styles.parts}>
        {Object.entries(moneyParts).map(([name, { title, hint, rows }]) => {
          const amount = moneyText(data[name as MoneyPartName]);
          const to = linkOf(rows?.(id));
          return (
            <div key={name}>
              <dt>
                {t(title)}
                <Tooltip content={t(hint)} trigger={['hover', 'focus']}>
                  <button type="button" className={styles.hint} aria-label={t(advertiserMessages.explanation, { title: t(title), hint: t(hint) })}>
                    <IconQuestionCircle aria-hidden />
                  </button>
                </Tooltip>
              </dt>
              <dd className={data[name as MoneyPartName] < 0 ? styles.negative : undefined}>{to ? <Link to={to}>{amount}</Link> : amount}</dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}

/** Shows a balance; one below zero stands out. Undefined leaves any other to the list. */
export const Balance = ({ balance }: Pick<AdvertiserRow, 'balance'>) =>
  Number(balance) < 0 ? <strong className={styles.negative}>{moneyText(balance)}</strong> : undefined;
