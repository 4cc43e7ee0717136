import type { ScreenAddition } from '#kernel';
import type { PaymentRunRow } from '../contract.ts';
import { RunSums } from './RunSums.tsx';

/** Shows with the record of a run for which advertisers it pays, and whom. */
export default (): ScreenAddition<PaymentRunRow> => ({ Summary: RunSums });
