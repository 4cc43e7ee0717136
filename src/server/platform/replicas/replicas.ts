import { randomUUID } from 'node:crypto';
import { type SQL, sql } from 'drizzle-orm';
import type { AllowedChange } from '../../base/configuration/configuration.ts';
import { IntervalTask } from '../../base/interval-task.ts';
import type { Log } from '../../base/log.ts';
import type { Database } from '../../data/database/database.ts';
import { queryRows } from '../../data/database/rows.ts';
import { differenceAmong, expirySeconds, type ReplicaFacts } from './replica-facts.ts';
import { type RunningServer, RunningServers } from './running-servers.ts';
import type { ServerState } from './server-report.ts';

const renewSeconds = 5;

/** Error for a server that differs from the running replicas and must not start; the message is one sentence with the difference. */
class ReplicaMismatchError extends Error {}

/** Dependencies of `Replicas`. */
export interface ReplicasDeps {
  readonly db: Database;
  readonly own: ReplicaFacts;
  /** Facts in which this server may differ from the running replicas. */
  readonly allowed: AllowedChange;
  readonly state: Pick<ServerState, 'report' | 'latest' | 'stop'>;
  readonly log: Pick<Log, 'error' | 'warn'>;
  /** Factor by which the row is renewed more often than every five seconds. */
  readonly timeScale: number;
}

/** Registration of this server among the replicas on one PostgreSQL: a row that is renewed while the server runs. */
export class Replicas extends RunningServers {
  private readonly id = randomUUID();
  private renewing: IntervalTask | undefined;
  private reported: string | undefined;

  constructor(private readonly deps: ReplicasDeps) {
    super();
  }

  /** Joins the running replicas, or throws if this server differs from them. Returns false if the database has no table for it yet. */
  async join(): Promise<boolean> {
    const { db, own, allowed } = this.deps;
    // The embedded database has only one process.
    if (db.engine !== 'postgres') {
      this.repeat(async () => void this.deps.state.report());
      return true;
    }
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
    this.repeat(() => this.beat());
    return true;
  }

  private repeat(work: () => Promise<void>): void {
    const { log, timeScale } = this.deps;
    this.renewing = new IntervalTask(renewSeconds / timeScale, work, (error) =>
      log.warn({ err: error }, 'could not renew the registration of this server among the replicas'),
    );
  }

  /** Removes the row, so that a different server may start at once; if the database is unreachable, the row expires by itself. */
  async leave(): Promise<void> {
    this.deps.state.stop();
    if (!this.renewing) return;
    const { db, log } = this.deps;
    await this.renewing.stop();
    this.renewing = undefined;
    if (db.engine !== 'postgres') return;
    try {
      await db.asPlatform('removes this server from the replicas', async () => void (await db.sql.execute(sql`delete from replica where id = ${this.id}`)));
    } catch (error) {
      log.warn({ err: error }, 'could not remove the registration of this server among the replicas');
    }
  }

  override async list(): Promise<readonly RunningServer[]> {
    const { db } = this.deps;
    if (db.engine !== 'postgres') return [await this.onlyServer()];
    const rows = await db.asPlatform('describes the replicas', () =>
      queryRows<Omit<RunningServer, 'host' | 'keyFingerprint' | 'fallbackFingerprints' | 'report'> & { readonly facts: ReplicaFacts }>(
        db,
        sql`select id, facts, ${timeText(sql`start_time`)} as "startTime", ${timeText(sql`seen_time`)} as "seenTime", ${isAlive} as "isAlive",
              extract(epoch from seen_time - start_time)::float8 as "uptimeSeconds" from replica r
            where ${isAlive} or seen_time > clock_timestamp() - interval '1 day' and not exists (
              select from replica later where later.facts ->> 'host' = r.facts ->> 'host' and later.start_time > r.seen_time)
            order by start_time, id`,
      ),
    );
    return rows.map(({ facts: { host, keyFingerprint, fallbackFingerprints, report }, ...row }) => ({
      ...row,
      host,
      keyFingerprint,
      fallbackFingerprints,
      report,
    }));
  }

  /** Describes the only process of the embedded database. */
  private async onlyServer(): Promise<RunningServer> {
    const { db, own, state } = this.deps;
    const uptimeSeconds = process.uptime();
    const [times] = await db.asPlatform('reads the clock of the database', () =>
      queryRows<{ startTime: string; seenTime: string }>(
        db,
        sql`select ${timeText(sql`clock_timestamp() - make_interval(secs => ${uptimeSeconds})`)} as "startTime", ${timeText(sql`clock_timestamp()`)} as "seenTime"`,
      ),
    );
    const { startTime = '', seenTime = '' } = times ?? {};
    const { host, keyFingerprint, fallbackFingerprints } = own;
    return { id: this.id, host, keyFingerprint, fallbackFingerprints, report: state.latest, startTime, seenTime, uptimeSeconds, isAlive: true };
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
    const { db, own, state } = this.deps;
    const facts: ReplicaFacts = { ...own, report: state.report() };
    await db.sql.execute(
      sql`insert into replica (id, facts) values (${this.id}, ${JSON.stringify(facts)}::jsonb)
          on conflict (id) do update set facts = excluded.facts, seen_time = clock_timestamp()`,
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

const timeText = (time: SQL) => sql`to_char(${time}, 'YYYY-MM-DD HH24:MI:SS')`;

const isAlive = sql`seen_time > clock_timestamp() - make_interval(secs => ${expirySeconds})`;
