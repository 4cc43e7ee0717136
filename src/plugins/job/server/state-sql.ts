import { literals } from '#server';
import { runStates } from '../run-contract.ts';

/** States of runs and of their tasks as SQL literals. */
export const stateSql = literals(runStates);
