import { Suspense, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { CrudPage, Http, lazyComponent, Toasts, useRowsLink, useService, useShownRelation, useTranslation } from '#kernel';
import { rowsOf } from '#shared/figures';
import { type LedgerRow, ledger, receipt, receiptKinds } from '../contract.ts';
import { ledgerMenu, receiptMenu } from '../menus.ts';
import { nouns, paymentMessages, statementMessages } from './messages.ts';

const StatementPanel = lazyComponent(() => import('./StatementPanel.tsx'));

const fields = ['createTime', 'kind', 'account', 'advertiserId', 'amount', 'balanceAfter', 'payNo', 'remark', 'voucher'] as const;
const statementFields = ['createTime', 'kind', 'amount', 'balanceAfter', 'payNo', 'remark', 'voucher'] as const;

const isReceipt = ({ kind }: LedgerRow) => Object.values<number>(receiptKinds).includes(kind);

/**
 * Lists ledger postings. With the record of an advertiser it is their statement: the postings on their own
 * account, each with the balance after it.
 */
export default function LedgerPage() {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const relation = useShownRelation();
  const isStatement = relation?.field === 'advertiserId';
  const [isStatementShown, setIsStatementShown] = useState(false);
  const navigate = useNavigate();
  const linkOf = useRowsLink();
  const receiptOf = (row: LedgerRow) => (isReceipt(row) ? linkOf(rowsOf(receipt, { entryId: row.entryId })) : undefined);
  const check = async () => {
    const answer = await http.send(ledger.check, {});
    if (!answer.success) return;
    const { length: count } = answer.data;
    if (count === 0) toasts.success(t(paymentMessages.balanced));
    else toasts.warning(t(paymentMessages.mismatches, { count }));
  };
  const toolbar = [
    { title: statementMessages.title, onClick: () => setIsStatementShown(true) },
    ...(isStatement ? [] : [{ title: paymentMessages.check, onClick: () => void check() }]),
  ];
  return (
    <>
      <CrudPage
        crud={ledger}
        title={ledgerMenu.title}
        noun={nouns.ledger}
        empty={{ title: paymentMessages.noPostings, hint: paymentMessages.noPostingsHint }}
        fields={isStatement ? statementFields : fields}
        columns={{ payNo: { width: 210 } }}
        actions={{
          toolbar,
          row: [{ title: receiptMenu.title, when: (row) => receiptOf(row) !== undefined, onClick: (row) => void navigate(receiptOf(row) ?? '') }],
        }}
      />
      {isStatementShown && (
        <Suspense>
          <StatementPanel advertiserId={isStatement ? relation?.value : undefined} onClose={() => setIsStatementShown(false)} />
        </Suspense>
      )}
    </>
  );
}
