import { CrudPage, type PendingRowAction } from '#kernel';
import { type BankFileLineRow, bankFileLine, lineOutcomes } from '../contract.ts';
import { bankFileLineMenu } from '../menus.ts';
import { bankFileMessages } from './messages.ts';

const { markPaid, markFailed, ...crud } = bankFileLine;
const code = 'bank_file_settle';
const paidAction: PendingRowAction = {
  title: bankFileMessages.markPaid,
  confirm: bankFileMessages.markPaid,
  done: bankFileMessages.marked,
  call: markPaid,
  fields: ['serialNo'],
};
const failedAction: PendingRowAction = {
  title: bankFileMessages.markFailed,
  confirm: bankFileMessages.markFailed,
  done: bankFileMessages.marked,
  call: markFailed,
  fields: ['reason'],
};
const isOpen = ({ outcome }: BankFileLineRow) => outcome === lineOutcomes.open;

/** Lists the payouts in bank files; a result that no file of the bank has is recorded here. */
export default function BankFileLinePage() {
  return (
    <CrudPage
      crud={crud}
      title={bankFileLineMenu.title}
      empty={{ title: bankFileMessages.noLines, hint: bankFileMessages.noLinesHint }}
      actions={{
        row: [
          { title: bankFileMessages.markPaid, code, when: isOpen, onClick: (row, { openRowAction }) => openRowAction(row, paidAction) },
          { title: bankFileMessages.markFailed, code, when: isOpen, onClick: (row, { openRowAction }) => openRowAction(row, failedAction) },
        ],
      }}
      details
    />
  );
}
