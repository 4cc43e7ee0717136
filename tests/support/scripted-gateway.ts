import { plugins } from '#deployment/server';
import { accountKinds } from '#plugins/payment/contract';
import { PaymentGateway, type StatementLine, TransferRejectedError, type TransferRequest, type TransferResult } from '#plugins/payment/server-extension';
import { paymentPlugin } from '../../src/plugins/payment/server/plugin.ts';
import type { InstalledPlugin } from '../../src/server/host/plugin-host/plugin.ts';

/** Fault of a request: lost before the provider gets it, reply lost afterwards, or refused; undefined for none. */
export type GatewayFault = 'lost' | 'answerLost' | 'refused' | undefined;

/** Payment provider for tests: like real ones it pays a bill at most once and reports it on request, and it can lose requests and replies. */
export class ScriptedGateway extends PaymentGateway {
  readonly name: string = 'scripted';
  readonly terms = { accountKinds: Object.values(accountKinds), payeeConfirms: false, isOffline: false };
  readonly sent: TransferRequest[] = [];
  readonly bills = new Map<string, TransferResult & { paidOut: number }>();
  /** Faults of the next requests, in order; later requests succeed. */
  readonly faults: GatewayFault[] = [];
  /** Final outcome of bills. */
  outcome: TransferResult['outcome'] = 'paid';

  /** Statement of each day; a day without one is not closed yet. */
  readonly books = new Map<string, StatementLine[]>();

  async transfer(order: TransferRequest): Promise<TransferResult> {
    const { payNo, amount } = order;
    const fault = this.faults.shift();
    this.sent.push(order);
    if (fault === 'lost') throw new Error('connection refused');
    if (fault === 'refused') throw new TransferRejectedError('PARAM_ERROR wrong openid');
    if (!this.bills.has(payNo))
      this.bills.set(payNo, { payNo, outcome: this.outcome, state: 'SUCCESS', amount, paidOut: this.outcome === 'paid' ? amount : 0 });
    if (fault === 'answerLost') throw new Error('socket hang up');
    return { payNo, outcome: 'processing', state: 'ACCEPTED' };
  }

  async query(payNo: string): Promise<TransferResult | undefined> {
    return this.bills.get(payNo);
  }

  async statement(day: string): Promise<StatementLine[]> {
    const lines = this.books.get(day);
    if (!lines) throw new Error('STATEMENT_CREATING the bill is being made');
    return lines;
  }

  /** Sum of all bills in 分 (cents). */
  paidOut(): number {
    return [...this.bills.values()].reduce((sum, { paidOut }) => sum + paidOut, 0);
  }
}

/** Returns the payment plugin with these test overrides. */
export function paymentWith(overrides: Parameters<typeof paymentPlugin>[0]): InstalledPlugin {
  const deployed = plugins.find(({ plugin: { id } }) => id === 'payment');
  return { plugin: paymentPlugin(overrides), migrations: deployed?.migrations ?? {} };
}

/** Returns a plugin of the deployment with these options. */
export function deployedWith(id: string, options: object): InstalledPlugin {
  const deployed = plugins.find(({ plugin }) => plugin.id === id);
  if (!deployed) throw new Error(`no plugin ${id}`);
  return { ...deployed, plugin: { ...deployed.plugin, options } };
}
