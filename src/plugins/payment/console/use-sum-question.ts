import { Dialogs, Http, useService, useWords } from '#kernel';
import type { Words } from '#shared/text';
import type { approvalSum, paySum } from '../contract.ts';
import { words } from './words.ts';

interface SumQuestion {
  readonly call: typeof paySum | typeof approvalSum;
  readonly title: Words;
  readonly told: Words;
  /** Text when the amounts are hidden from the user. */
  readonly unseen: Words;
}

const yuan = (fen: number) => `¥${(fen / 100).toFixed(2)}`;

/** Confirms a payment with its total; resolves true when confirmed. */
export function useSumQuestion({ call, title, told, unseen }: SumQuestion): (ids: readonly string[]) => Promise<boolean> {
  const http = useService(Http);
  const dialogs = useService(Dialogs);
  const say = useWords();
  return async (ids) => {
    const sum = await http.send(call, { ids: [...ids] });
    if (!sum.success) return false;
    const { people, amount } = sum.data;
    const content = say(amount === null ? unseen : told, { count: ids.length, people, sum: yuan(amount ?? 0) });
    return dialogs.confirm({ title: say(title), content, confirm: say(title), cancel: say(words.cancel) });
  };
}
