import { type CrudScreen, Http, moneyText, Toasts, useService, useTranslation } from '#kernel';
import type { SubmissionRow } from '#plugins/task/contract';
import { Payout, payable, payoutStates, payTotal } from '../contract.ts';
import { paymentMessages } from './messages.ts';
import { expectedOf, taxText } from './use-total-confirmation.ts';

const { payManually } = payable;

/** Returns a function that opens the form that records payments of work made outside of any provider, with their total; work that cannot be recorded is named instead. */
export function useManualPayment(): (ids: readonly string[], screen: Pick<CrudScreen<SubmissionRow>, 'openRowAction'>) => Promise<void> {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  return async (ids, { openRowAction }) => {
    const sum = await http.send(payTotal, { ids: [...ids], manual: true });
    if (!sum.success) return;
    const { count, people, amount, rows, needsApproval } = sum.data;
    const [refused] = rows;
    if (refused)
      return toasts.error(refused.title === null ? refused.message : t(paymentMessages.manualRefused, { title: refused.title, reason: refused.message }));
    const total = t(amount === null ? paymentMessages.manualTotalWithoutAmount : paymentMessages.manualTotal, { count, people, sum: moneyText(amount ?? 0) });
    openRowAction({ id: ids[0] ?? '' } as SubmissionRow, {
      title: payManually.title,
      note: `${total}${taxText(sum.data, t)}${needsApproval ? ` ${t(paymentMessages.willWait)}` : ''}`,
      confirm: paymentMessages.recordManual,
      done: (answer) => ('state' in answer && answer.state === payoutStates.awaiting ? paymentMessages.awaitsApproval : paymentMessages.recordedManual),
      call: payManually,
      entity: Payout,
      fields: ['voucher', 'remark'],
      input: { ids, expected: expectedOf(sum.data) },
    });
  };
}
