import { sql } from 'drizzle-orm';
import { MiniappSetting } from '#plugins/miniapp/contract';
import { undoSeconds } from '#plugins/task/contract';
import { Refusal, rowsOf, type ServerContext, tableOf } from '#server';
import type { Payments } from './payments.ts';

interface Due {
  readonly id: string;
  readonly tenantId: string;
}

const atOnce = 200;
/** What could not be paid within a day is left to people, and so is what was approved long before somebody turned this on. */
const triedFor = '1 day';

/** Pays for work as soon as nobody can take its approval back, where the tenant's mini-app settings say so, within the limits that hold for everybody. What is refused stays where it can be paid by hand. */
export class AutomaticPayments {
  /** Up to where the last round came: what is refused again and again keeps nothing else waiting. */
  private reached = '0';

  constructor(
    private readonly db: ServerContext['db'],
    private readonly payments: Payments,
  ) {}

  async round(): Promise<void> {
    const due = await this.due();
    this.reached = due.length < atOnce ? '0' : (due.at(-1) as Due).id;
    for (const { id, tenantId } of due) await this.pay(tenantId, id);
  }

  private async pay(tenantId: string, id: string): Promise<void> {
    try {
      await this.db.write({ tenantId }, () => this.payments.pay({ tenantId }, { id }));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }

  private due(): Promise<Due[]> {
    return this.db.asPlatform('work of all tenants that pay by themselves is looked for', () =>
      rowsOf<Due>(
        this.db,
        sql`select s.id::text as id, s.tenant_id as "tenantId" from ${tableOf(MiniappSetting)} m join task_submission s on s.tenant_id = m.tenant_id
            where m.auto_pay = 1 and m.is_deleted = 0 and s.audit_status = 1 and s.pay_status = 0 and s.is_deleted = 0 and s.id > ${this.reached}
              and s.audit_time > now() - ${triedFor}::interval and s.audit_time <= now() - make_interval(secs => ${undoSeconds})
            order by s.id limit ${atOnce}`,
      ),
    );
  }
}
