import { CrudPage, Http, Toasts, useService, useTranslation } from '#kernel';
import { ledger } from '../contract.ts';
import { ledgerMenu } from '../menus.ts';
import { paymentMessages } from './messages.ts';
import { nouns } from './nouns.ts';

/** Lists ledger postings, and records money received from or refunded to advertisers. */
export default function LedgerPage() {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const check = async () => {
    const answer = await http.send(ledger.check, {});
    if (!answer.success) return;
    const { length: count } = answer.data;
    if (count === 0) toasts.success(t(paymentMessages.balanced));
    else toasts.warning(t(paymentMessages.mismatches, { count }));
  };
  return (
    <CrudPage
      crud={ledger}
      title={ledgerMenu.title}
      noun={nouns.ledger}
      fields={['createTime', 'kind', 'account', 'advertiserId', 'amount', 'payNo', 'remark']}
      columns={{ payNo: { width: 210 } }}
      actions={{ add: ledger.submit.title, toolbar: [{ title: paymentMessages.check, onClick: () => void check() }] }}
    />
  );
}
