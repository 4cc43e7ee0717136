import { Dialogs, Http, useService, useTranslation } from '#kernel';
import type { LocalizedText } from '#shared/text';
import type { approvalTotal, payTotal } from '../contract.ts';
import { paymentMessages } from './messages.ts';

interface TotalConfirmation {
  readonly call: typeof payTotal | typeof approvalTotal;
  readonly title: LocalizedText;
  readonly message: LocalizedText;
  /** Text when the amounts are hidden from the user. */
  readonly messageWithoutAmount: LocalizedText;
}

const yuan = (fen: number) => `¥${(fen / 100).toFixed(2)}`;

/** Confirms a payment with its total; resolves true when confirmed. */
export function useTotalConfirmation({ call, title, message, messageWithoutAmount }: TotalConfirmation): (ids: readonly string[]) => Promise<boolean> {
  const http = useService(Http);
  const dialogs = useService(Dialogs);
  const t = useTranslation();
  return async (ids) => {
    const sum = await http.send(call, { ids: [...ids] });
    if (!sum.success) return false;
    const { people, amount } = sum.data;
    const content = t(amount === null ? messageWithoutAmount : message, { count: ids.length, people, sum: yuan(amount ?? 0) });
    return dialogs.confirm({ title: t(title), content, confirm: t(title), cancel: t(paymentMessages.cancel) });
  };
}
