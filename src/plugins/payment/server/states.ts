import { payStates, reviewStates } from '#plugins/task/contract';
import { literals } from '#server';
import { payoutStates } from '../contract.ts';

/** States as SQL literals. */
export const payoutState = literals(payoutStates);
export const reviewState = literals(reviewStates);
export const payState = literals(payStates);
