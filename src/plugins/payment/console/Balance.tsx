import { moneyText } from '#kernel';
import type { AdvertiserRow } from '#plugins/base-data/contract';
import styles from './payment.module.css';

/** Shows a balance; one below zero stands out. Undefined leaves any other to the list. */
export const Balance = ({ balance }: Pick<AdvertiserRow, 'balance'>) =>
  Number(balance) < 0 ? <strong className={styles.negative}>{moneyText(balance)}</strong> : undefined;
