import { sql } from 'drizzle-orm';
import { queryRows, type ServerContext } from '#server';
import { deliveryStates } from '../contract.ts';
import { recordFailure, recordSuccess } from './endpoint-state.ts';
import { type AttemptResult, type EndpointTarget, type OutgoingEvent, sendOnce } from './send-once.ts';

/** Seconds until the next attempt after each failure; after the last one, about a day later, a delivery is given up. */
const retrySeconds = [5, 60, 300, 1800, 7200, 21_600, 43_200] as const;
/** Seconds after which another server sends an event again whose server died; longer than an attempt can take. */
const leaseSeconds = 60;
/** Requests to one endpoint at a time. */
const batchSize = 5;
/** Endpoints to which one server sends at a time. */
const maxEndpoints = 100;
/** Time after which a busy endpoint gives its slot to others. */
const maxTurnMs = 20_000;

const { queued, sending, delivered, failed } = deliveryStates;

interface ClaimedDelivery extends OutgoingEvent {
  readonly id: string;
  readonly attempts: number;
}

interface StoredTarget {
  readonly url: string;
  readonly secret: string;
  readonly former: string | null;
  readonly isActive: boolean;
}

/**
 * Sends queued events, and again after failures. A server claims each delivery for the time an attempt can take, so that two servers do not send the same; only a server
 * that dies between the response and its record leaves an event that is sent again, with the same message id. A slow endpoint delays no other.
 */
export class Sender {
  private readonly running = new Map<string, Promise<void>>();
  private isStopped = false;

  constructor(private readonly context: Pick<ServerContext, 'db' | 'egress' | 'inbox' | 'systemLog'>) {}

  /** Begins to send to each endpoint with due deliveries. */
  async poll(): Promise<void> {
    const { db } = this.context;
    // The order gives every endpoint a turn if there are more than fit.
    const due = await db.asPlatform('finds endpoints with due events', () =>
      queryRows<{ id: string; tenantId: string }>(
        db,
        sql`select e.id::text as id, e.tenant_id as "tenantId" from webhook_endpoint e
            where exists (select from webhook_delivery d where d.endpoint_id = e.id and d.state in (0, 1) and d.due_at <= now()) order by random() limit ${maxEndpoints}`,
      ),
    );
    for (const { id, tenantId } of due) {
      if (this.isStopped || this.running.size >= maxEndpoints) return;
      if (this.running.has(id)) continue;
      const turn = this.sendDue(tenantId, id)
        .catch((error: unknown) => this.report(tenantId, error))
        .finally(() => this.running.delete(id));
      this.running.set(id, turn);
    }
  }

  /** Waits for events that are being sent. */
  async settle(): Promise<void> {
    await Promise.all(this.running.values());
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.settle();
  }

  /** Sends an event at once, also to an endpoint that is disabled, and records the result; a failed one is not tried again. Call it outside of transactions. */
  async sendNow(tenantId: string, endpointId: string, delivery: ClaimedDelivery): Promise<void> {
    const target = await this.context.db.read({ tenantId }, () => this.targetOf(endpointId));
    if (target) await this.record(tenantId, endpointId, delivery, await this.attempt(target, delivery), { isLast: true });
  }

  private async sendDue(tenantId: string, endpointId: string): Promise<void> {
    const end = performance.now() + maxTurnMs;
    while (!this.isStopped && performance.now() < end) {
      const { target, claimed } = await this.claim(tenantId, endpointId);
      if (!target || claimed.length === 0) return;
      await Promise.all(claimed.map(async (one) => this.record(tenantId, endpointId, one, await this.attempt(target, one))));
    }
  }

  private attempt({ url, secret, former }: StoredTarget, event: OutgoingEvent): Promise<AttemptResult> {
    const { db, egress } = this.context;
    const target: EndpointTarget = { url, secrets: [secret, ...(former === null ? [] : [former])].map((one) => db.encryption.decrypt(one)) };
    return sendOnce(egress, target, event);
  }

  /** Claims due deliveries; those of a disabled endpoint are given up. */
  private claim(tenantId: string, endpointId: string): Promise<{ target: StoredTarget | undefined; claimed: readonly ClaimedDelivery[] }> {
    const { db } = this.context;
    return db.write({ tenantId }, async () => {
      const target = await this.targetOf(endpointId);
      if (!target?.isActive) {
        await queryRows(
          db,
          sql`update webhook_delivery set state = ${failed}, failure = 'disabled', due_at = null where endpoint_id = ${endpointId} and state in (0, 1) and due_at <= now()`,
        );
        return { target: undefined, claimed: [] };
      }
      const claimed = await queryRows<ClaimedDelivery>(
        db,
        sql`with due as materialized (
              select id from webhook_delivery where endpoint_id = ${endpointId} and state in (0, 1) and due_at <= now() order by due_at, id limit ${batchSize} for update skip locked)
            update webhook_delivery d set state = ${sending}, attempts = attempts + 1, attempted_at = date_trunc('second', now()), due_at = now() + make_interval(secs => ${leaseSeconds})
            from due where d.id = due.id returning d.id::text as id, d.message_id as "messageId", d.body, d.attempts`,
      );
      return { target, claimed };
    });
  }

  private async targetOf(endpointId: string): Promise<StoredTarget | undefined> {
    const [target] = await queryRows<StoredTarget>(
      this.context.db,
      sql`select url, secret, case when former_secret_until > now() then former_secret end as former, is_enabled and is_deleted = 0 as "isActive"
          from webhook_endpoint where id = ${endpointId} and secret is not null`,
    );
    return target;
  }

  /** Records a result unless another server has claimed the delivery since. */
  private async record(tenantId: string, endpointId: string, { id, attempts }: ClaimedDelivery, result: AttemptResult, { isLast = false } = {}): Promise<void> {
    const { db, systemLog } = this.context;
    const { failure, status = null, response, durationMs } = result;
    const seconds = isLast || status === 410 ? undefined : retrySeconds[attempts - 1];
    const state = failure === undefined ? delivered : seconds === undefined ? failed : queued;
    await db.write({ tenantId }, async () => {
      const recorded = await queryRows<{ event: string }>(
        db,
        sql`update webhook_delivery set state = ${state}, failure = ${failure ?? null}, response_status = ${status}, response = ${response}, duration_ms = ${durationMs},
              due_at = case when ${state}::integer = ${queued} then now() + make_interval(secs => ${seconds ?? 0}) end
            where id = ${id} and attempts = ${attempts} and state = ${sending} returning event`,
      );
      if (!recorded[0]) return;
      if (failure === undefined) return recordSuccess(db, endpointId);
      if (state === failed)
        systemLog.log({ level: 'warn', event: 'webhooks:given-up', data: { delivery: id, type: recorded[0].event, failure, status }, tenant: tenantId });
      await recordFailure(this.context, endpointId, { isGone: status === 410, isGivenUp: state === failed && !isLast });
    });
  }

  private report(tenantId: string, error: unknown): void {
    this.context.systemLog.log({ level: 'error', event: 'webhooks:sending-failed', data: { reason: String(error) }, tenant: tenantId });
  }
}
