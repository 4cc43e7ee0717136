/** What a provider is asked to pay. The amount in 分. */
export interface Order {
  readonly payNo: string;
  readonly openid: string;
  readonly amount: number;
  /** What the payee reads. */
  readonly remark: string;
  /** The payee's own name. */
  readonly payee: string;
}

/** What a provider says of a bill. */
export interface Told {
  readonly payNo: string;
  readonly outcome: 'underWay' | 'paid' | 'failed';
  /** The provider's own word for it. */
  readonly state: string;
  readonly providerNo?: string | undefined;
  /** In 分, where it says so. */
  readonly amount?: number | undefined;
  /** Why it failed. */
  readonly reason?: string | undefined;
  /** What the payee's device needs to confirm it. */
  readonly packageInfo?: string | undefined;
  /** Nothing moves until the payee has confirmed. */
  readonly awaitsPayee?: boolean | undefined;
}

/** One movement for a bill in a provider's books: what it has paid, below nothing for what came back. In 分. */
export interface BillLine {
  readonly payNo: string;
  readonly providerNo?: string | undefined;
  readonly amount: number;
}

/** The provider has answered, and will not pay this order. Anything else that is thrown leaves open what has become of it. */
export class GatewayRefusal extends Error {
  override readonly name = 'GatewayRefusal';
}

/** A provider that pays people. The same bill is paid once however often it is sent. */
export abstract class PaymentGateway {
  abstract readonly name: string;
  abstract transfer(order: Order): Promise<Told>;
  /** Nothing where the provider has never heard of the bill. */
  abstract query(payNo: string): Promise<Told | undefined>;
  /** What its books hold of a day, `yyyy-MM-dd`; throws while they are not closed. */
  abstract bill(day: string): Promise<readonly BillLine[]>;
}
