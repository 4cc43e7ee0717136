import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { type Database, type Live, queryRows } from '#server';
import { TransferEnded } from '../contract.ts';
import { transferProblems } from './problems.ts';
import { nextInQueue } from './transfer-queue.ts';
import { isClaimed, retentionHours, type TransferOutcome, type TransferRecord } from './transfer-rows.ts';

const leaseSeconds = 30;
const maxAttempts = 3;

interface ClaimedRow extends Omit<TransferRecord, 'title' | 'ownerDept' | 'progress' | 'good'> {
  readonly titleZh: string;
  readonly titleEn: string;
  readonly ownerDept: string | null;
  readonly progress: string;
  readonly good: string;
}

/** Leases of running transfers. A lease that is not renewed is taken over by the next process that polls; a transfer taken over too often fails. */
export class Leases {
  private readonly runner = randomUUID();

  constructor(
    private readonly db: Database,
    private readonly live: Live,
  ) {}

  /** Claims the next transfer in the queue. */
  async claim(targets: readonly string[]): Promise<TransferRecord | undefined> {
    const [zh, en] = transferProblems.interrupted.message;
    const [row] = await this.db.asPlatform('reads the queue of transfers of all tenants', async () => {
      await this.db.lock('turns of transfers');
      await queryRows(
        this.db,
        sql`update transfer set state = 'failed', message_zh = ${zh}, message_en = ${en}, end_time = now(), expires_at = now() + make_interval(hours => ${retentionHours})
            where state = 'running' and lease_until < now() and attempts >= ${maxAttempts}`,
      );
      const [next] = await queryRows<{ id: string }>(this.db, nextInQueue(targets));
      if (!next) return [];
      return queryRows<ClaimedRow>(
        this.db,
        sql`update transfer set state = 'running', runner = ${this.runner}, lease_until = now() + make_interval(secs => ${leaseSeconds}), attempts = attempts + 1,
              begin_time = clock_timestamp()
            where id = ${next.id} and (state = 'queued' or (state = 'running' and lease_until < now()))
            returning id::text as id, tenant_id as "tenantId", kind, target, title_zh as "titleZh", title_en as "titleEn", owner_id::text as "ownerId",
              owner_dept::text as "ownerDept", language, request, progress::text as progress, good::text as good, begin_time::text as "claimedAt"`,
      );
    });
    if (!row) return undefined;
    const { titleZh, titleEn, ownerDept, progress, good, ...record } = row;
    return { ...record, title: [titleZh, titleEn], ownerDept: ownerDept ?? undefined, progress: Number(progress), good: Number(good) };
  }

  /** Renews a lease and stores the progress; returns whether the transfer may continue. */
  async renew(record: TransferRecord, { progress, total }: { progress: number; total: number | undefined }): Promise<'active' | 'cancelled' | 'lost'> {
    const [row] = await this.db.write({ tenantId: record.tenantId }, () =>
      queryRows<{ cancelled: boolean }>(
        this.db,
        sql`update transfer set lease_until = now() + make_interval(secs => ${leaseSeconds}), progress = greatest(progress, ${progress}), total = coalesce(${total ?? null}, total)
            where ${isClaimed(record)} returning cancelled`,
      ),
    );
    return row ? (row.cancelled ? 'cancelled' : 'active') : 'lost';
  }

  /** Stores the result and notifies the user, unless another process has taken over. */
  async finish(record: TransferRecord, { state, message, good, bad, total, resultFileId, problemsFileId }: TransferOutcome, progress: number): Promise<void> {
    await this.db.write({ tenantId: record.tenantId }, async () => {
      const finished = await queryRows(
        this.db,
        sql`update transfer set state = ${state}, message_zh = ${message?.[0] ?? null}, message_en = ${message?.[1] ?? null}, progress = ${progress},
              total = coalesce(${total ?? null}, total), good = coalesce(${good ?? null}, good), bad = coalesce(${bad ?? null}, bad),
              result_id = ${resultFileId ?? null}, problems_id = ${problemsFileId ?? null},
              end_time = now(), lease_until = null, expires_at = now() + make_interval(hours => ${retentionHours})
            where ${isClaimed(record)} returning id`,
      );
      if (finished.length > 0) await this.live.publish(TransferEnded, { id: record.id }, { user: record.ownerId });
    });
  }

  /** Releases a lease without counting a failure, so that another process may claim it at once. */
  async release(record: TransferRecord): Promise<void> {
    await this.db.write({ tenantId: record.tenantId }, () =>
      queryRows(this.db, sql`update transfer set lease_until = now() - interval '1 second', attempts = attempts - 1 where ${isClaimed(record)}`),
    );
  }

  /** Expires all other leases on an embedded database, where no other process can be running a transfer, so that transfers interrupted by a crash can be claimed at once. */
  async expireOthers(): Promise<void> {
    if (this.db.engine !== 'embedded') return;
    await this.db.asPlatform('claims transfers left by a crash', () =>
      queryRows(this.db, sql`update transfer set lease_until = now() - interval '1 second' where state = 'running' and runner <> ${this.runner}`),
    );
  }

  /** Removes expired transfers; their files expire on their own. */
  async sweep(): Promise<void> {
    await this.db.asPlatform('deletes expired transfers of all tenants', () => queryRows(this.db, sql`delete from transfer where expires_at < now()`));
  }
}
