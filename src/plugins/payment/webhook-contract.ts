import * as Type from 'typebox';
import { webhookEvent } from '#shared/contract';
import { Id } from '#shared/fields';

/** `amount` is what the payee receives, in fen. */
const payout = Type.Object({ id: Id(), payNo: Type.String(), submissionId: Id(), amount: Type.Integer() });

export const payoutPaid = webhookEvent({ name: 'payout.paid', title: ['付款成功', 'Payout paid'], data: payout });
export const payoutFailed = webhookEvent({ name: 'payout.failed', title: ['付款失败', 'Payout failed'], data: payout });
