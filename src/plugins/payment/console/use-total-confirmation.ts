import { type Answer, type BatchAction, type BatchOutcome, Dialogs, Http, moneyText, useService, useTranslation } from '#kernel';
import type { LocalizedText } from '#shared/text';
import { type AppliedLimits, type approvalTotal, channelTitles, type Expected, type PaymentSum, type payTotal } from '../contract.ts';
import { limitMessages, paymentMessages } from './messages.ts';

interface TotalConfirmation {
  readonly call: typeof payTotal | typeof approvalTotal;
  readonly title: LocalizedText;
  readonly message: LocalizedText;
  /** Text when the amounts are hidden from the user. */
  readonly messageWithoutAmount: LocalizedText;
}

/** Request for payments that the user has confirmed. */
interface ConfirmedPayments {
  ids: string[];
  partial: true;
  expected: NonNullable<Expected>;
}

/**
 * Sends payments once the user has confirmed their number and total as the server judges them, with the rows that are left out. If they have changed when the request
 * arrives, the server refuses it and the user confirms the new total.
 */
export function useTotalConfirmation(
  { call, title, message, messageWithoutAmount }: TotalConfirmation,
  submit: (input: ConfirmedPayments) => Promise<Answer<BatchOutcome | null>>,
): BatchAction['send'] {
  const http = useService(Http);
  const dialogs = useService(Dialogs);
  const t = useTranslation();
  const named = ({ channel, count }: NonNullable<PaymentSum['channels']>[number]) => {
    const title = channelTitles.find(([value]) => value === channel)?.[1];
    return t(paymentMessages.channelCount, { channel: title ? t(title) : String(channel), count });
  };
  const send = async (ids: readonly string[]): Promise<BatchOutcome | null | undefined> => {
    const sum = await http.send(call, { ids: [...ids] });
    if (!sum.success) return undefined;
    const { count, people, amount, rows, channels = [], needsApproval = false, limits } = sum.data;
    if (count === 0) return { done: 0, total: ids.length, rows };
    const total = t(amount === null ? messageWithoutAmount : message, { count, people, sum: moneyText(amount ?? 0) });
    const leftOut = rows.length > 0 ? ` ${t(paymentMessages.leftOut, { count: rows.length })}` : '';
    const through = channels.length > 0 ? ` ${t(paymentMessages.through, { channels: channels.map(named).join(t(paymentMessages.separator)) })}` : '';
    const applied = limits ? ` ${limitsText(limits, t)}` : '';
    const content = `${total}${taxText(sum.data, t)}${through}${leftOut}${needsApproval ? ` ${t(paymentMessages.willWait)}` : ''}${applied}`;
    if (!(await dialogs.confirm({ title: t(title), content, confirm: t(title), cancel: t(paymentMessages.cancel) }))) return undefined;
    const answer = await submit({ ids: [...ids], partial: true, expected: expectedOf(sum.data) });
    if (answer.success) return answer.data;
    // The error for another total contains the new one.
    return typeof (answer.details as Partial<Expected> | null | undefined)?.count === 'number' ? send(ids) : undefined;
  };
  return send;
}

/** Returns what a user confirms who has read a sum. */
export const expectedOf = ({ count, amount, withheld }: PaymentSum): NonNullable<Expected> => ({
  count,
  amount,
  ...(withheld === undefined ? {} : { withheld }),
});

/** Returns the tax that is withheld from payments, and what their payees receive; nothing if there is no tax. */
export const taxText = ({ withheld = 0, net = 0 }: PaymentSum, t: ReturnType<typeof useTranslation>): string =>
  withheld > 0 ? ` ${t(paymentMessages.tax, { withheld: moneyText(withheld), net: moneyText(net) })}` : '';

/** Lists the limits that apply to a payment. */
function limitsText(limits: AppliedLimits, t: ReturnType<typeof useTranslation>): string {
  const parts = Object.entries(limitMessages).flatMap(([name, text]) => {
    const limit = limits[name as keyof AppliedLimits];
    return limit === null ? [] : [t(text, { limit: moneyText(limit) })];
  });
  return t(paymentMessages.limitsApply, { limits: parts.join(t(paymentMessages.separator)) });
}
