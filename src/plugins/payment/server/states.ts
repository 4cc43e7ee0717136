import { payStates, reviewStates, taskStates } from '#plugins/task/contract';
import { literals } from '#server';
import { payoutStates } from '../contract.ts';

/** States as SQL literals. */
export const payoutStateSql = literals(payoutStates);
export const reviewStateSql = literals(reviewStates);
export const payStateSql = literals(payStates);
export const taskStateSql = literals(taskStates);
