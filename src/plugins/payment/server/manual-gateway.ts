import { accountKinds } from '../contract.ts';
import { PaymentGateway, type StatementLine, type TransferRequest, type TransferResult } from '../server-extension.ts';

/** Name of the gateway of payments that were made outside of any provider. */
export const manualGateway = 'manual';

/** Gateway of recorded payments: the money is paid already, so each ends as soon as it may be sent. */
export class ManualGateway extends PaymentGateway {
  readonly name = manualGateway;
  readonly terms = { accountKinds: Object.values(accountKinds), payeeConfirms: false, isOffline: true };

  async transfer({ payNo, amount }: TransferRequest): Promise<TransferResult> {
    return { payNo, outcome: 'paid', state: 'RECORDED', amount };
  }

  /** Nothing is known of a payment before it is sent, which has no effect and can be repeated. */
  async query(): Promise<undefined> {
    return undefined;
  }

  async statement(): Promise<readonly StatementLine[]> {
    return [];
  }
}
