import { sql } from 'drizzle-orm';
import { MiniappSetting } from '#plugins/miniapp/contract';
import { undoSeconds } from '#plugins/task/contract';
import { ApiError, queryRows, type ServerContext, tableOf } from '#server';
import type { Payments } from './payments.ts';
import { payStateSql, reviewStateSql } from './states.ts';

interface DueSubmission {
  readonly id: string;
  readonly tenantId: string;
}

const batchSize = 200;
/** Submissions approved longer ago than this are not paid automatically: users pay what could not be paid in time, or was approved before automatic payment was enabled. */
const maxApprovalAge = '1 day';

/** Pays submissions once their approval can no longer be undone, within the usual limits, in tenants that have enabled this in their mini-app settings. Users can make refused payments manually. */
export class AutomaticPayments {
  /** Id of the last submission of the previous batch, so that submissions that are refused again and again do not block the rest. */
  private cursor = '0';

  constructor(
    private readonly db: ServerContext['db'],
    private readonly payments: Payments,
  ) {}

  async runOnce(signal?: AbortSignal): Promise<void> {
    const due = await this.due();
    this.cursor = due.length < batchSize ? '0' : (due.at(-1) as DueSubmission).id;
    for (const { id, tenantId } of due) {
      if (signal?.aborted) return;
      await this.pay(tenantId, id);
    }
  }

  private async pay(tenantId: string, id: string): Promise<void> {
    try {
      await this.db.write({ tenantId }, () => this.payments.pay({ tenantId }, { id }));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }

  private due(): Promise<DueSubmission[]> {
    return this.db.asPlatform('finds payable submissions of all tenants with automatic payment', () =>
      queryRows<DueSubmission>(
        this.db,
        sql`select s.id::text as id, s.tenant_id as "tenantId" from ${tableOf(MiniappSetting)} m join task_submission s on s.tenant_id = m.tenant_id
            where m.auto_pay = 1 and m.is_deleted = 0 and s.audit_status = ${reviewStateSql.approved} and s.pay_status = ${payStateSql.unpaid} and s.is_deleted = 0 and s.id > ${this.cursor}
              and s.audit_time > now() - ${maxApprovalAge}::interval and s.audit_time <= now() - make_interval(secs => ${undoSeconds})
              and not exists (select from payout p where p.submission_id = s.id)
            order by s.id limit ${batchSize}`,
      ),
    );
  }
}
