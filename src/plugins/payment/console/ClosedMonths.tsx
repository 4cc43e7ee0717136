import { CrudPage, type PendingRowAction, SidePanel, useTranslation } from '#kernel';
import { type LedgerMonthRow, ledgerMonth, monthStates } from '../contract.ts';
import { closingMessages } from './closing-messages.ts';

interface ClosedMonthsProps {
  /** Id of the month that can be reopened. */
  readonly lastClosed: string | undefined;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

const { checks: _checks, close: _close, reopen, ...crud } = ledgerMonth;
const reopening: PendingRowAction = {
  title: closingMessages.reopenTitle,
  confirm: closingMessages.reopen,
  done: closingMessages.reopened,
  call: reopen,
  fields: ['reason'],
};

/** Lists the months that have been closed; the last one can be reopened with a reason. */
export default function ClosedMonths({ lastClosed, onChanged, onClose }: ClosedMonthsProps) {
  const t = useTranslation();
  const isLast = ({ id, state }: LedgerMonthRow) => id === lastClosed && state === monthStates.closed;
  return (
    <SidePanel
      open
      width={1080}
      title={t(closingMessages.months)}
      onClose={() => {
        onChanged();
        onClose();
      }}
    >
      <CrudPage
        crud={crud}
        title={closingMessages.months}
        empty={{ title: closingMessages.noMonths, hint: closingMessages.noMonthsHint }}
        columns={{ createTime: { hidden: true }, createUser: { hidden: true }, createDept: { hidden: true } }}
        actions={{
          row: [
            {
              title: closingMessages.reopen,
              code: 'ledger_close',
              when: isLast,
              isPrimary: true,
              onClick: (row, screen) => screen.openRowAction(row, reopening),
            },
          ],
        }}
      />
    </SidePanel>
  );
}
