import { Suspense, useState } from 'react';
import { CrudPage, Http, lazyComponent, type PendingRowAction, Toasts, useService, useShownRelation, useTranslation } from '#kernel';
import { entryKinds, type LedgerRow, ledger, ledgerAccounts } from '../contract.ts';
import { ledgerMenu } from '../menus.ts';
import { paymentMessages, statementMessages } from './messages.ts';
import { nouns } from './nouns.ts';

const StatementPanel = lazyComponent(() => import('./StatementPanel.tsx'));

const fields = ['createTime', 'kind', 'account', 'advertiserId', 'amount', 'balanceAfter', 'payNo', 'remark', 'voucher'] as const;
const statementFields = ['createTime', 'kind', 'amount', 'balanceAfter', 'payNo', 'remark', 'voucher'] as const;

const isReversible = ({ kind, account }: LedgerRow) => account === ledgerAccounts.advertiser && (kind === entryKinds.received || kind === entryKinds.refunded);
const reversal: PendingRowAction = {
  title: paymentMessages.reverseTitle,
  confirm: ledger.reverse.title,
  done: paymentMessages.reversed,
  call: ledger.reverse,
  fields: ['remark'],
};

/**
 * Lists ledger postings, and records money received from or refunded to advertisers. With the record of an advertiser it is their statement: the postings on their own
 * account, each with the balance after it.
 */
export default function LedgerPage() {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const relation = useShownRelation();
  const isStatement = relation?.field === 'advertiserId';
  const [isStatementShown, setIsStatementShown] = useState(false);
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
        fields={isStatement ? statementFields : fields}
        {...(isStatement ? { filter: { account_equal: ledgerAccounts.advertiser } } : {})}
        columns={{ payNo: { width: 210 } }}
        actions={{
          add: ledger.submit.title,
          toolbar,
          row: [{ title: ledger.reverse.title, code: 'ledger_add', when: isReversible, onClick: (row, { openRowAction }) => openRowAction(row, reversal) }],
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
