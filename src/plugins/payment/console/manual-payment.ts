import type { CrudScreen } from '#kernel';
import type { SubmissionRow } from '#plugins/task/contract';
import { Payout, payable, payoutStates } from '../contract.ts';
import { paymentMessages } from './messages.ts';

const { payManually } = payable;

/** Opens the form that records payments of this work made outside of any provider. */
export const openManual = (ids: readonly string[], { openRowAction }: Pick<CrudScreen<SubmissionRow>, 'openRowAction'>) =>
  openRowAction({ id: ids[0] ?? '' } as SubmissionRow, {
    title: [`${payManually.title[0]}：${ids.length} 笔`, `${payManually.title[1]}: ${ids.length}`],
    confirm: paymentMessages.recordManual,
    done: (answer) => ('state' in answer && answer.state === payoutStates.awaiting ? paymentMessages.awaitsApproval : paymentMessages.recordedManual),
    call: payManually,
    entity: Payout,
    fields: ['voucher', 'remark'],
    input: { ids },
  });
