import { filter } from '#shared/contract';

/** Approved work that is about to be paid for; the amount in 分. */
export interface WorkToPay {
  readonly submissionId: string;
  readonly taskId: string;
  readonly advertiserId: string;
  readonly userId: string;
  readonly amount: number;
}

/** All that one request is about to pay for. */
export const WorkPaying = filter<readonly WorkToPay[]>('payment:paying');
