import { literals } from '#server';
import { payStates, reviewStates, taskStates } from '../contract.ts';

/** States as SQL literals. */
export const taskState = literals(taskStates);
export const reviewState = literals(reviewStates);
export const payState = literals(payStates);
