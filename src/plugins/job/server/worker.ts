import { randomUUID } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { availableParallelism, freemem, hostname, tmpdir } from 'node:os';
import { sql } from 'drizzle-orm';
import { rowsOf, type ServerContext } from '#server';
import type { Claim } from './claims.ts';
import { claim } from './claims.ts';
import type { RunLog } from './run-log.ts';
import { type Runs, runsTaken, workWaits } from './runs.ts';
import { endAtStandstill } from './standstill.ts';
import { performed } from './task-run.ts';

/** How a replica works; tests are quicker. */
export interface Pace {
  /** What is in hand stays so for so long after the worker was last heard of. */
  readonly leaseSeconds: number;
  /** How many tasks it has in hand at most. */
  readonly atOnce: number;
}

const gigabyte = 1024 ** 3;

/** This replica as a worker: it takes up what waits, says that it is alive, and reports under its fence. */
export class Worker {
  readonly id = randomUUID();
  readonly name: string;
  private readonly inHand = new Map<string, { readonly claim: Claim; readonly leaving: AbortController }>();
  private looking: Promise<void> | undefined;
  private mustLookAgain = false;

  constructor(
    private readonly context: Pick<ServerContext, 'db' | 'jobs' | 'journal'>,
    private readonly runs: Runs,
    private readonly log: RunLog,
    private readonly pace: Pace,
    name?: string,
  ) {
    this.name = name ?? `${hostname()}:${process.pid}`;
    const { db } = context;
    db.onSignal(workWaits, () => this.look());
    db.onSignal(runsTaken, (instanceId) => this.drop(({ claim: one }) => one.instanceId === instanceId));
  }

  /** Says that it is alive, keeps what it has in hand, and lets go of what is somebody else's by now. */
  async beat(): Promise<void> {
    const { db } = this.context;
    const { bavail, bsize } = await statfs(tmpdir());
    const fences = [...this.inHand.keys()];
    const kept = await db.asPlatform('workers run jobs of all tenants', async () => {
      await endAtStandstill(db);
      await rowsOf(
        db,
        sql`insert into job_worker (id, name, cpus, memory, disk, load)
            values (${this.id}, ${this.name}, ${availableParallelism()}, ${freemem() / gigabyte}, ${(bavail * bsize) / gigabyte}, ${fences.length})
            on conflict (id) do update set memory = excluded.memory, disk = excluded.disk, load = excluded.load, seen_at = clock_timestamp()`,
      );
      return rowsOf<{ fence: string }>(
        db,
        sql`update job_task set lease_until = clock_timestamp() + make_interval(secs => ${this.pace.leaseSeconds})
            where state = 3 and worker = ${this.id} and fence = any(${`{${fences.join(',')}}`}::bigint[]) returning fence::text as fence`,
      );
    });
    const mine = new Set(kept.map(({ fence }) => fence));
    const asked = new Set(fences);
    this.drop(({ claim: { fence } }) => asked.has(fence) && !mine.has(fence));
  }

  /** Takes up what waits, as much as it can carry. */
  look(): void {
    if (this.looking) {
      this.mustLookAgain = true;
      return;
    }
    this.looking = this.takeUp()
      .catch((error: unknown) => this.context.journal.note({ level: 'warn', event: 'job:look-failed', data: { reason: String(error) } }))
      .finally(() => {
        this.looking = undefined;
        if (this.mustLookAgain) {
          this.mustLookAgain = false;
          this.look();
        }
      });
  }

  /** Takes everything out of its hands. */
  stop(): void {
    this.drop(() => true);
  }

  private async takeUp(): Promise<void> {
    const free = this.pace.atOnce - this.inHand.size;
    if (free <= 0) return;
    const claims = await claim(this.context, { id: this.id, name: this.name, leaseSeconds: this.pace.leaseSeconds, most: free });
    for (const one of claims) void this.work(one);
    // What was held back of one run may have stood before others.
    if (claims.length > 0) this.mustLookAgain = true;
  }

  private async work(one: Claim): Promise<void> {
    const { db, jobs, journal } = this.context;
    const leaving = new AbortController();
    this.inHand.set(one.fence, { claim: one, leaving });
    try {
      const ending = await performed({ db, jobs, log: this.log }, one, leaving.signal);
      await this.log.flush().catch(() => undefined);
      if (!ending) return;
      const isTaken = await db.asPlatform('workers report what has become of runs of all tenants', async () => {
        await endAtStandstill(db);
        return this.runs.endTask(one.taskId, one.fence, ending);
      });
      if (!isTaken) journal.note({ level: 'warn', event: 'job:late-result-refused', data: { instanceId: one.instanceId, fence: one.fence } });
    } catch (error) {
      // Its lease runs out, and somebody takes it up again.
      journal.note({ level: 'warn', event: 'job:report-failed', data: { instanceId: one.instanceId, reason: String(error) } });
    } finally {
      this.inHand.delete(one.fence);
      this.look();
    }
  }

  private drop(which: (held: { readonly claim: Claim }) => boolean): void {
    for (const [fence, held] of this.inHand) {
      if (!which(held)) continue;
      held.leaving.abort();
      this.inHand.delete(fence);
    }
  }
}
