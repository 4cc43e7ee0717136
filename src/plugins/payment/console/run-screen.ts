import type { ScreenAddition } from '#kernel';
import type { PaymentRunRow } from '../contract.ts';
import { RunShares } from './RunShares.tsx';

/** Shows with the record of a run for which advertisers it pays. */
export default (): ScreenAddition<PaymentRunRow> => ({ Summary: RunShares });
