import { filter } from '#shared/contract';
import type { AccountKind, PayeeAccount } from './payee-contract.ts';

/** Transfer requested from a provider. The amount is in 分. */
export interface TransferRequest {
  readonly payNo: string;
  /** Number of the payment run. */
  readonly runNo: string;
  readonly amount: number;
  /** Text the payee sees. */
  readonly remark: string;
  /** Account of the payee, with the name of its holder. */
  readonly account: Omit<PayeeAccount, 'userId'>;
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

/**
 * Thrown if the provider has rejected the request for good; after any other error the result is unknown. The payout fails when a query some minutes later returns undefined;
 * any other result of the query is booked instead.
 */
export class TransferRejectedError extends Error {
  override readonly name = 'TransferRejectedError';
}

/** Limits and costs of a gateway, which decide the payouts it gets. Amounts are in 分. */
export interface GatewayTerms {
  /** Kinds of accounts that it can transfer to. */
  readonly accountKinds: readonly AccountKind[];
  readonly minAmount?: number | null;
  readonly maxAmount?: number | null;
  /** Amount from which it needs the name of the account's holder. */
  readonly nameRequiredFrom?: number;
  /** True if payees confirm transfers on their device. */
  readonly payeeConfirms: boolean;
  /** True if people carry out the transfers by a file. */
  readonly isOffline: boolean;
  /** Fee in ten-thousandths of the amount, and per transfer. */
  readonly feeRate?: number | null;
  readonly feeFixed?: number | null;
  /** Among equal fees, the lower number goes first. */
  readonly priority?: number | null;
}

/** Notification of a provider as it has arrived. */
export interface ProviderNotice {
  readonly body: string;
  header(name: string): string;
}

/** Notification that the provider has signed; `nonce` is unique to it. */
export interface SignedNotice {
  readonly result: TransferResult;
  readonly nonce: string;
}

/** Provider that transfers money to people with one configuration of a tenant. Sending the same payout several times pays it once. */
export abstract class PaymentGateway {
  /** Name stored with payouts: the id of the provider, a colon and the id of the configuration. At most 32 characters. */
  abstract readonly name: string;
  abstract readonly terms: GatewayTerms;
  /** Throws `TransferRejectedError` only for documented errors that the same request would get again. */
  abstract transfer(request: TransferRequest): Promise<TransferResult>;
  /** Returns undefined when the provider does not know the payout. */
  abstract query(payNo: string): Promise<TransferResult | undefined>;
  /** Returns the statement of a day, `yyyy-MM-dd`; throws while the statement is not final. */
  abstract statement(day: string): Promise<readonly StatementLine[]>;
  /** Reads a notification; throws unless the provider has signed it for this configuration, with an amount. */
  readNotice?(notice: ProviderNotice): SignedNotice;
  /** Merchant and app that the payee's device needs to confirm a transfer. */
  readonly merchantIds?: { readonly mchId: string; readonly appId: string };
}

/** Gateways of one provider. Every method runs in a transaction of the tenant. */
export interface PaymentProvider {
  /** Id before the colon in the names of its gateways. */
  readonly id: string;
  enabled(): Promise<readonly PaymentGateway[]>;
  /** Returns the gateway of a configuration, enabled or not; undefined for a deleted one. */
  find(configurationId: string): Promise<PaymentGateway | undefined>;
  /** Returns the gateways that may have paid on a day, each account of the provider once. */
  ofDay(day: string): Promise<readonly PaymentGateway[]>;
}

/** Filters the payment providers: a plugin adds its own, in a deployment that has it enabled. */
export const PaymentProviders = filter<readonly PaymentProvider[]>('payment:providers');

/** Enabled gateway of a tenant. */
export interface TenantGateway {
  readonly tenantId: string;
  readonly gateway: PaymentGateway;
}

/** Port through which providers reach the payouts that they send. */
export abstract class ProviderPayouts {
  /** Sends the payouts of the current tenant that wait for a provider. Call it when one has been enabled. */
  abstract sendWaiting(): Promise<void>;
  /** Counts the payouts of the current tenant that are still in process with a gateway, or were paid through it in the last 31 days and may have to be compared. */
  abstract countOpen(gateway: string): Promise<number>;
  /**
   * Queries the payout of a notification and books the answer of the query. Opens its own transactions. Resolves false for a notification that none of the gateways has
   * signed for a payout of its own, or a repeated one; throws while the provider cannot be queried, so that it notifies again.
   */
  abstract receive(gateways: readonly TenantGateway[], notice: ProviderNotice): Promise<boolean>;
  /** Books a result, once. Opens its own transaction; a result for a payout of another gateway, or one that contradicts the books, moves no money. */
  abstract settle(tenantId: string, gateway: string, result: TransferResult): Promise<void>;
}

/** Thrown for a message without a valid signature of the provider. */
export class InvalidSignatureError extends Error {
  override readonly name = 'InvalidSignatureError';
}

/** Tests whether `read` finds an RSA key. */
export function isRsaKey(read: () => { readonly asymmetricKeyType?: string | undefined }): boolean {
  try {
    return read().asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
}
