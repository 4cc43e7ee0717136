import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { TransferEnded, transferProblems } from '#shared/transfers';
import type { Database } from '../db/database.ts';
import type { Live } from '../live/live.ts';
import { rowsOf } from '../rows.ts';
import { hoursKept, type Outcome, type TransferRecord } from './transfer-rows.ts';

const leaseSeconds = 30;
const mostAttempts = 3;

interface ClaimedRow extends Omit<TransferRecord, 'title' | 'ownerDept' | 'progress' | 'good'> {
  readonly titleZh: string;
  readonly titleEn: string;
  readonly ownerDept: string | null;
  readonly progress: string;
  readonly good: string;
}

/** Who runs which transfer. A lease that is not renewed is taken over by whoever looks next; one taken over too often has failed. */
export class Leases {
  private readonly runner = randomUUID();

  constructor(
    private readonly db: Database,
    private readonly live: Live,
  ) {}

  /** The next transfer nobody runs. */
  async claim(targets: readonly string[]): Promise<TransferRecord | undefined> {
    const { zh, en } = wordsOf(transferProblems.interrupted.words);
    const [row] = await this.db.asPlatform('transfers of all tenants wait in one line', async () => {
      await rowsOf(
        this.db,
        sql`update transfer set state = 'failed', message_zh = ${zh}, message_en = ${en}, end_time = now(), expires_at = now() + make_interval(hours => ${hoursKept})
            where state = 'running' and lease_until < now() and attempts >= ${mostAttempts}`,
      );
      return rowsOf<ClaimedRow>(
        this.db,
        sql`update transfer set state = 'running', runner = ${this.runner}, lease_until = now() + make_interval(secs => ${leaseSeconds}), attempts = attempts + 1
            where id = (
              select id from transfer where (state = 'queued' or (state = 'running' and lease_until < now())) and target = any(${`{${targets.join(',')}}`}::text[])
              order by id limit 1 for update skip locked
            ) returning id::text as id, tenant_id as "tenantId", kind, target, title_zh as "titleZh", title_en as "titleEn", owner_id::text as "ownerId",
              owner_dept::text as "ownerDept", language, request, progress::text as progress, good::text as good`,
      );
    });
    if (!row) return undefined;
    const { titleZh, titleEn, ownerDept, progress, good, ...record } = row;
    return { ...record, title: [titleZh, titleEn], ownerDept: ownerDept ?? undefined, progress: Number(progress), good: Number(good) };
  }

  /** Renews a lease and says how far it is; whether it may go on. */
  async renew(id: string, tenantId: string, { progress, total }: { progress: number; total: number | undefined }): Promise<'on' | 'cancelled' | 'lost'> {
    const [row] = await this.db.write({ tenantId }, () =>
      rowsOf<{ cancelled: boolean }>(
        this.db,
        sql`update transfer set lease_until = now() + make_interval(secs => ${leaseSeconds}), progress = greatest(progress, ${progress}), total = coalesce(${total ?? null}, total)
            where id = ${id} and runner = ${this.runner} and state = 'running' returning cancelled`,
      ),
    );
    return row ? (row.cancelled ? 'cancelled' : 'on') : 'lost';
  }

  /** Keeps what came of it and tells whoever asked for it. */
  async finish(
    { id, tenantId, ownerId }: TransferRecord,
    { state, message, good, bad, total, resultId, problemsId }: Outcome,
    progress: number,
  ): Promise<void> {
    await this.db.write({ tenantId }, async () => {
      await rowsOf(
        this.db,
        sql`update transfer set state = ${state}, message_zh = ${message?.[0] ?? null}, message_en = ${message?.[1] ?? null}, progress = ${progress},
              total = coalesce(${total ?? null}, total), good = coalesce(${good ?? null}, good), bad = coalesce(${bad ?? null}, bad),
              result_id = ${resultId ?? null}, problems_id = ${problemsId ?? null},
              end_time = now(), lease_until = null, expires_at = now() + make_interval(hours => ${hoursKept})
            where id = ${id} and runner = ${this.runner} and state = 'running'`,
      );
      await this.live.publish(TransferEnded, { id }, { user: ownerId });
    });
  }

  /** Lets go of one without its having failed, so that another may take it at once. */
  async release(id: string, tenantId: string): Promise<void> {
    await this.db.write({ tenantId }, () =>
      rowsOf(
        this.db,
        sql`update transfer set lease_until = now() - interval '1 second', attempts = attempts - 1 where id = ${id} and runner = ${this.runner} and state = 'running'`,
      ),
    );
  }

  /** On the embedded database nobody else can be running anything: what a crash has left may be taken at once. */
  async takeAll(): Promise<void> {
    if (this.db.flavour !== 'embedded') return;
    await this.db.asPlatform('transfers a crash has left are taken up again', () =>
      rowsOf(this.db, sql`update transfer set lease_until = now() - interval '1 second' where state = 'running' and runner <> ${this.runner}`),
    );
  }

  /** Removes what has expired; its files go by themselves. */
  async sweep(): Promise<void> {
    await this.db.asPlatform('expired transfers of all tenants are removed together', () =>
      rowsOf(this.db, sql`delete from transfer where expires_at < now()`),
    );
  }
}

const wordsOf = ([zh, en]: readonly [string, string]) => ({ zh, en });
