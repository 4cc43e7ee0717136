import { Button } from '@arco-design/web-react';
import { InlineForm, RowHistory, useCan, useQuery, useTranslation } from '#kernel';
import { paymentLimits } from '../limit-contract.ts';
import { receiptMessages } from './messages.ts';
import styles from './payment.module.css';

/** Edits the limits of payments and receipts. Top task: change one, 1 click (save), beside who changed what before. */
export default function LimitPage() {
  const t = useTranslation();
  const isWritable = useCan('payment_limit_edit');
  const { data, error, refetch } = useQuery(paymentLimits.read, {}, { refetchOnMount: false });
  if (error)
    return (
      <p role="alert">
        {t(receiptMessages.failed)} <Button onClick={refetch}>{t(receiptMessages.retry)}</Button>
      </p>
    );
  return data ? <InlineForm crud={paymentLimits} row={data} isWritable={isWritable} beside={(_, saved) => <Changes {...saved} />} /> : null;
}

/** Lists who changed which limit, once they have been saved. */
function Changes({ id = '', version = '' }: { readonly id?: string; readonly version?: string | undefined }) {
  const t = useTranslation();
  if (version === '') return null;
  return (
    <section className={styles.changes} aria-label={t(receiptMessages.changes)}>
      <h2>{t(receiptMessages.changes)}</h2>
      <RowHistory crud={paymentLimits} id={id} version={version} />
    </section>
  );
}
