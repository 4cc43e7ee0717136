import { type BatchAction, type Dialogs, type Http, moneyText, type PendingRowAction, type ScreenAddition, type Translate } from '#kernel';
import type { LocalizedText } from '#shared/text';
import { type PayoutRow, payoutOutcome, payoutOutcomes, payoutStates, unknownState } from '../contract.ts';
import { PaidOutcome, UnpaidOutcome } from '../outcome-contract.ts';
import { outcomeMessages } from './messages.ts';

const recordCode = 'payout_outcome';
const approveCode = 'payout_approve';
const { recordPaid, recordUnpaid, approve, reject } = payoutOutcome;

type RowActions = NonNullable<NonNullable<ScreenAddition<PayoutRow>['actions']>['row']>;

interface OutcomeActionsDeps {
  readonly http: Http;
  readonly dialogs: Dialogs;
  readonly t: Translate;
  /** Id of the current user. */
  readonly own: string | undefined;
}

/** Returns the actions on payouts whose orders their providers no longer know: recording the outcome, and deciding about one that another user has recorded. */
export function outcomeActions({ http, dialogs, t, own }: OutcomeActionsDeps): RowActions {
  const isUnknown = ({ state, providerState, userId }: PayoutRow) => state === payoutStates.processing && providerState === unknownState && userId !== own;
  const isOpen = (row: PayoutRow) => isUnknown(row) && row.outcome === null;
  const isRecorded = (row: PayoutRow) => isUnknown(row) && row.outcome !== null && row.recordedBy !== own;
  const approval = (row: PayoutRow): BatchAction => ({
    title: outcomeMessages.approve,
    done: named(outcomeMessages.approved, row),
    send: async () => {
      const { id, payNo, outcome } = row;
      if (outcome === null) return undefined;
      const message = outcome === payoutOutcomes.paid ? outcomeMessages.approvePaidQuestion : outcomeMessages.approveUnpaidQuestion;
      const content = t(message, factsOf(row));
      const question = { title: t(outcomeMessages.approveTitle, { payNo }), content, confirm: t(outcomeMessages.approve), cancel: t('shell.cancel') };
      if (!(await dialogs.confirm(question))) return undefined;
      return (await http.send(approve, { id, outcome })).success ? null : undefined;
    },
  });
  return [
    {
      title: recordPaid.title,
      code: recordCode,
      when: isOpen,
      onClick: (row, { openRowAction }) =>
        openRowAction(row, { ...recording(row, t, true), call: recordPaid, entity: PaidOutcome, fields: ['outcomeNo', 'outcomeDay', 'voucher', 'remark'] }),
    },
    {
      title: recordUnpaid.title,
      code: recordCode,
      when: isOpen,
      onClick: (row, { openRowAction }) =>
        openRowAction(row, { ...recording(row, t, false), call: recordUnpaid, entity: UnpaidOutcome, fields: ['remark', 'voucher'] }),
    },
    { title: approve.title, code: approveCode, when: isRecorded, onClick: (row, { batch }) => batch([row.id], approval(row)) },
    {
      title: reject.title,
      code: approveCode,
      when: isRecorded,
      onClick: (row, { openRowAction }) =>
        openRowAction(row, {
          title: named(outcomeMessages.rejectTitle, row),
          confirm: outcomeMessages.reject,
          done: named(outcomeMessages.rejected, row),
          call: reject,
          input: { outcome: row.outcome },
          fields: ['reason'],
        }),
    },
  ];
}

/** Puts the number of a payout into a text of both languages. */
const named = ([zh, en]: LocalizedText, { payNo }: PayoutRow): LocalizedText => [zh.replace('{payNo}', payNo), en.replace('{payNo}', payNo)];

const factsOf = ({ payNo, nickName, amount, outcomeNo, outcomeDay, remark, recorderName }: PayoutRow) => ({
  payNo,
  name: nickName,
  sum: amount === undefined ? '' : moneyText(amount),
  no: outcomeNo ?? '',
  day: outcomeDay ?? '',
  remark: remark ?? '',
  recorder: recorderName ?? '',
});

/** Returns the texts of the form in which an outcome is recorded; all of them name the payout. */
function recording(row: PayoutRow, t: Translate, isPaid: boolean): Pick<PendingRowAction, 'title' | 'note' | 'confirm' | 'done' | 'input'> {
  const done = isPaid ? outcomeMessages.recordedPaid : outcomeMessages.recordedUnpaid;
  return {
    title: named(isPaid ? outcomeMessages.paidTitle : outcomeMessages.unpaidTitle, row),
    note: t(isPaid ? outcomeMessages.paidNote : outcomeMessages.unpaidNote, factsOf(row)),
    confirm: isPaid ? recordPaid.title : recordUnpaid.title,
    done: (answer) => named('state' in answer && answer.state === payoutStates.processing ? outcomeMessages.awaits : done, row),
    input: { id: row.id },
  };
}
