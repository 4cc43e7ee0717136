import { sql } from 'drizzle-orm';
import { rowsOf, type ServerContext } from '#server';
import { GatewayRefusal, type Order, type PaymentGateway, type Told } from './gateway.ts';
import type { Settlement } from './settlement.ts';

/** A payout whose turn it is, with the provider it was first sent to. */
interface Due extends Order {
  readonly tenantId: string;
  readonly gateway: string;
  readonly tries: number;
  /** What the payee needs to confirm it is known. */
  readonly hasPackage: boolean;
}

/** The provider of a tenant; of a bill that was sent before, the one it was sent to. */
export type ChooseGateway = (tenantId: string, sentBy: string) => Promise<PaymentGateway>;

const atOnce = 20;
/** Nobody else takes up what is being asked about; longer than any provider is waited for. */
const firstSeconds = 30;
const mostSeconds = 3600;
/** No request is on its way for longer. */
const lostAfter = '1 hour';

/** Sends payouts and asks what has become of them, until the provider has said. A bill that was sent before is asked about first, and sent again only where the provider has never heard of it. */
export class Dispatcher {
  constructor(
    private readonly db: ServerContext['db'],
    private readonly settlement: Settlement,
    private readonly choose: ChooseGateway,
  ) {}

  /** All that is due, so many at once. */
  async round(): Promise<void> {
    for (let due = await this.due(); due.length > 0; due = due.length < atOnce ? [] : await this.due()) await Promise.all(due.map((one) => this.deal(one)));
  }

  /** Takes what is due, whosever it is; a process that dies meanwhile leaves it to be taken again. */
  private due(): Promise<Due[]> {
    return this.db.asPlatform('payouts of all tenants are sent and settled', () =>
      rowsOf<Due>(
        this.db,
        sql`update payout set tries = tries + 1, next_try = now() + make_interval(secs => least(${mostSeconds}, ${firstSeconds} * 2 ^ least(tries, 8)))
            where id in (select id from payout where state = 1 and next_try <= now() order by next_try limit ${atOnce} for update skip locked)
            returning tenant_id as "tenantId", pay_no as "payNo", openid, amount::float8 as amount, task_title as remark, gateway, tries, package_info is not null as "hasPackage",
              coalesce((select u.real_name from user_account u where u.id = payout.user_id), nick_name) as payee`,
      ),
    );
  }

  private async deal(due: Due): Promise<void> {
    const { tenantId, payNo } = due;
    let mayFail = false;
    try {
      const gateway = await this.choose(tenantId, due.gateway);
      const known = due.tries > 1 ? await this.askAbout(due, gateway) : undefined;
      mayFail = known === undefined && (await this.isSending(due, gateway));
      await this.settlement.settle(tenantId, known ?? (await gateway.transfer(due)));
    } catch (error) {
      const { message } = error as Error;
      // Only where no other request for this bill can still be on its way is a refusal the end of it.
      const isOver = error instanceof GatewayRefusal && mayFail;
      if (isOver) await this.settlement.settle(tenantId, { payNo, outcome: 'failed', state: 'REFUSED', reason: message } satisfies Told);
      else await this.settlement.wentWrong(tenantId, payNo, message);
    }
  }

  /** What is known of a bill; nothing where it is to be sent (again): the provider never heard of it, or the answer that held what the payee needs was lost. */
  private async askAbout({ payNo, hasPackage }: Due, gateway: PaymentGateway): Promise<Told | undefined> {
    const known = await gateway.query(payNo);
    return known?.awaitsPayee && !known.packageInfo && !hasPackage ? undefined : known;
  }

  /** Notes by whom it is sent; true where no request sent before can arrive any more. */
  private async isSending({ tenantId, payNo }: Due, { name }: PaymentGateway): Promise<boolean> {
    const [sent] = await this.db.write({ tenantId }, () =>
      rowsOf<{ isAlone: boolean }>(
        this.db,
        sql`update payout p set gateway = ${name}, sendings = p.sendings + 1, sent_time = now() from payout before
            where p.pay_no = ${payNo} and before.id = p.id
            returning before.sendings = 0 or before.sent_time < now() - ${lostAfter}::interval as "isAlone"`,
      ),
    );
    return sent?.isAlone === true;
  }
}
