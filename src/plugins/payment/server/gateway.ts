/** Transfer requested from a provider. The amount is in 分. */
export interface TransferRequest {
  readonly payNo: string;
  readonly openid: string;
  readonly amount: number;
  /** Text the payee sees. */
  readonly remark: string;
  /** Real name of the payee. */
  readonly payee: string;
}

/** State of a payout as its provider reports it. */
export interface TransferResult {
  readonly payNo: string;
  readonly outcome: 'processing' | 'paid' | 'failed';
  /** State in the provider's own terms. */
  readonly state: string;
  readonly providerNo?: string | undefined;
  /** Amount in 分, if reported. */
  readonly amount?: number | undefined;
  /** Reason of a failure. */
  readonly reason?: string | undefined;
  /** Data the payee's device needs to confirm the transfer. */
  readonly packageInfo?: string | undefined;
  /** True while the transfer waits for the payee's confirmation. */
  readonly awaitsPayee?: boolean | undefined;
}

/** Line of a provider's statement for a payout: the amount in 分, negative for a refund. */
export interface StatementLine {
  readonly payNo: string;
  readonly providerNo?: string | undefined;
  readonly amount: number;
}

/** Thrown if the provider has rejected the transfer for good; after any other error the result is unknown. */
export class TransferRejectedError extends Error {
  override readonly name = 'TransferRejectedError';
}

/** Provider that transfers money to people. Sending the same payout several times pays it once. */
export abstract class PaymentGateway {
  abstract readonly name: string;
  abstract transfer(request: TransferRequest): Promise<TransferResult>;
  /** Returns undefined when the provider does not know the payout. */
  abstract query(payNo: string): Promise<TransferResult | undefined>;
  /** Returns the statement of a day, `yyyy-MM-dd`; throws while the statement is not final. */
  abstract statement(day: string): Promise<readonly StatementLine[]>;
}
