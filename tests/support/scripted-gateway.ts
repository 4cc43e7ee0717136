import { plugins } from '#deployment/server';
import { type BillLine, GatewayRefusal, type Order, PaymentGateway, type Told } from '../../src/plugins/payment/server/gateway.ts';
import { paymentPlugin } from '../../src/plugins/payment/server/plugin.ts';
import type { InstalledPlugin } from '../../src/server/plugin.ts';

/** What happens to a request: it is lost before the provider sees it, the answer is lost after, it is refused, or all goes well. */
export type Mishap = 'lost' | 'answerLost' | 'refused' | undefined;

/** A provider of money as real ones are: it pays a bill once, says so when it is asked, and can be cut off at either side. */
export class ScriptedGateway extends PaymentGateway {
  readonly name = 'scripted';
  readonly sent: Order[] = [];
  readonly bills = new Map<string, Told & { paidOut: number }>();
  /** What becomes of the next requests, in this order; all goes well afterwards. */
  readonly mishaps: Mishap[] = [];
  /** What a bill comes to in the end. */
  outcome: Told['outcome'] = 'paid';

  /** What its books hold of each day; a day without any is not closed yet. */
  readonly books = new Map<string, BillLine[]>();

  async transfer(order: Order): Promise<Told> {
    const { payNo, amount } = order;
    const mishap = this.mishaps.shift();
    this.sent.push(order);
    if (mishap === 'lost') throw new Error('connection refused');
    if (mishap === 'refused') throw new GatewayRefusal('PARAM_ERROR wrong openid');
    if (!this.bills.has(payNo))
      this.bills.set(payNo, { payNo, outcome: this.outcome, state: 'SUCCESS', amount, paidOut: this.outcome === 'paid' ? amount : 0 });
    if (mishap === 'answerLost') throw new Error('socket hang up');
    return { payNo, outcome: 'underWay', state: 'ACCEPTED' };
  }

  async query(payNo: string): Promise<Told | undefined> {
    return this.bills.get(payNo);
  }

  async bill(day: string): Promise<BillLine[]> {
    const lines = this.books.get(day);
    if (!lines) throw new Error('STATEMENT_CREATING the bill is being made');
    return lines;
  }

  /** In 分, over all bills. */
  paidOut(): number {
    return [...this.bills.values()].reduce((sum, { paidOut }) => sum + paidOut, 0);
  }
}

/** The plugin with what it pays by. */
export function paymentBy(means: Parameters<typeof paymentPlugin>[0]): InstalledPlugin {
  const deployed = plugins.find(({ plugin: { id } }) => id === 'payment');
  return { plugin: paymentPlugin(means), migrations: deployed?.migrations ?? {} };
}
