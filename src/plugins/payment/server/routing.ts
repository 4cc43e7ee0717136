import type { GatewayTerms, PaymentGateway, TransferRequest } from '../server-extension.ts';

/** Transfer as far as it decides the gateway. */
export interface RoutedTransfer extends Pick<TransferRequest, 'amount'> {
  readonly account: Pick<TransferRequest['account'], 'kind' | 'name'>;
  /** Gateways that have refused the payment before, which come last. */
  readonly refusedBy?: readonly string[];
}

const rateUnit = 10_000;
const lastPriority = 10_000;

/** Returns the fee of a transfer in 分; a fraction counts as a whole. */
export const feeOf = ({ feeRate, feeFixed }: GatewayTerms, amount: number): number => Math.ceil((amount * (feeRate ?? 0)) / rateUnit) + (feeFixed ?? 0);

/** Tests whether the gateway can transfer the amount to the account. */
export function reaches({ accountKinds, minAmount, maxAmount, nameRequiredFrom }: GatewayTerms, { account, amount }: RoutedTransfer): boolean {
  const hasName = account.name !== '' || nameRequiredFrom === undefined || amount < nameRequiredFrom;
  return accountKinds.includes(account.kind) && amount >= (minAmount ?? 0) && amount <= (maxAmount ?? Number.MAX_SAFE_INTEGER) && hasName;
}

/** A gateway with one of the accounts that it can transfer to. */
export interface Route<Transfer extends RoutedTransfer> {
  readonly gateway: PaymentGateway;
  readonly transfer: Transfer;
}

/** Selects the cheapest gateway that can carry out one of the transfers, then the one with the lowest priority number, then the first. */
export function selectRoute<Transfer extends RoutedTransfer>(gateways: readonly PaymentGateway[], transfers: readonly Transfer[]): Route<Transfer> | undefined {
  const routes = gateways.flatMap((gateway) => transfers.filter((transfer) => reaches(gateway.terms, transfer)).map((transfer) => ({ gateway, transfer })));
  const rank = ({ gateway: { name, terms }, transfer }: Route<Transfer>) =>
    [transfer.refusedBy?.includes(name) ? 1 : 0, feeOf(terms, transfer.amount), terms.priority ?? lastPriority] as const;
  const compare = (left: Route<Transfer>, right: Route<Transfer>) => {
    const [a, b] = [rank(left), rank(right)];
    return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
  };
  return routes.sort(compare)[0];
}
