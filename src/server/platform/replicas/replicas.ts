import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { AllowedChange } from '../../base/configuration/configuration.ts';
import { IntervalTask } from '../../base/interval-task.ts';
import type { Log } from '../../base/log.ts';
import type { Database } from '../../data/database/database.ts';
import { queryRows } from '../../data/database/rows.ts';
import { differenceAmong, expirySeconds, type ReplicaFacts } from './replica-facts.ts';

const renewSeconds = 5;

/** Error for a server that differs from the running replicas and must not start; the message is one sentence with the difference. */
class ReplicaMismatchError extends Error {}

/** Dependencies of `Replicas`. */
export interface ReplicasDeps {
  readonly db: Database;
  readonly own: ReplicaFacts;
  /** Facts in which it may differ from the running replicas. */
  readonly allowed: AllowedChange;
  readonly log: Pick<Log, 'error' | 'warn'>;
  /** Factor by which the row is renewed more often than every five seconds. */
  readonly timeScale: number;
}

/** Registration of this server among the replicas on one PostgreSQL: a row that is renewed while the server runs. */
export class Replicas {
  private readonly id = randomUUID();
  private renewing: IntervalTask | undefined;
  private reported: string | undefined;

  constructor(private readonly deps: ReplicasDeps) {}

  /** Joins the running replicas, or throws if this server differs from them. Returns false if the database has no table for it yet. */
  async join(): Promise<boolean> {
    const { db, own, allowed, log, timeScale } = this.deps;
    // The embedded database has only one process.
    if (db.engine !== 'postgres') return true;
    const hasJoined = await db.asPlatform('registers this server among the replicas', async () => {
      const [table] = await queryRows<{ exists: boolean }>(db, sql`select to_regclass('replica') is not null as exists`);
      if (!table?.exists) return false;
      // The lock makes the second of two simultaneous starts see the first.
      await db.lock('replicas');
      const difference = differenceAmong(own, await this.others(), allowed);
      if (difference !== undefined) throw new ReplicaMismatchError(difference);
      await db.sql.execute(sql`delete from replica where not ${isAlive}`);
      await this.renew();
      return true;
    });
    if (!hasJoined) return false;
    this.renewing = new IntervalTask(
      renewSeconds / timeScale,
      () => this.beat(),
      (error) => log.warn({ err: error }, 'could not renew the registration of this server among the replicas'),
    );
    return true;
  }

  /** Removes the row, so that a different server may start at once; without a database it expires by itself. */
  async leave(): Promise<void> {
    if (!this.renewing) return;
    const { db, log } = this.deps;
    await this.renewing.stop();
    this.renewing = undefined;
    try {
      await db.asPlatform('removes this server from the replicas', async () => void (await db.sql.execute(sql`delete from replica where id = ${this.id}`)));
    } catch (error) {
      log.warn({ err: error }, 'could not remove the registration of this server among the replicas');
    }
  }

  /** Renews the row and logs a difference, because after a database outage a different replica may have started. */
  private async beat(): Promise<void> {
    const { db, own, allowed, log } = this.deps;
    const difference = await db.asPlatform('compares the replicas', async () => {
      await this.renew();
      return differenceAmong(own, await this.others(), allowed);
    });
    if (difference !== undefined && difference !== this.reported) log.error(difference);
    this.reported = difference;
  }

  private async renew(): Promise<void> {
    const { db, own } = this.deps;
    await db.sql.execute(
      sql`insert into replica (id, facts) values (${this.id}, ${JSON.stringify(own)}::jsonb) on conflict (id) do update set seen_time = clock_timestamp()`,
    );
  }

  private async others(): Promise<ReplicaFacts[]> {
    const rows = await queryRows<{ facts: ReplicaFacts }>(
      this.deps.db,
      sql`select facts from replica where id <> ${this.id} and ${isAlive} order by start_time`,
    );
    return rows.map(({ facts }) => facts);
  }
}

const isAlive = sql`seen_time > clock_timestamp() - make_interval(secs => ${expirySeconds})`;
