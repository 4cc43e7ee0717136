import type { PaymentRunRow } from '../contract.ts';
import { RunPayees } from './RunPayees.tsx';
import { RunShares } from './RunShares.tsx';

/** Shows the sums of a payment run by advertiser and by payee. */
export function RunSums({ row }: { readonly row: PaymentRunRow }) {
  return (
    <>
      <RunShares row={row} />
      <RunPayees key={row.id} row={row} />
    </>
  );
}
