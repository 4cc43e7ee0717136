import { sql } from 'drizzle-orm';
import type { Keys } from '../../base/configuration/secret-key.ts';
import type { Database } from '../../data/database/database.ts';
import { queryRows } from '../../data/database/rows.ts';
import { everyTenant, type HeadContent, RowDigest, SealKeys } from './seal.ts';
import { SealStore } from './seal-store.ts';
import { auditTables, type SealedTable } from './sealed-table.ts';
import { Sealing } from './sealing.ts';
import { Verification, type VerificationReport, type VerificationRequest } from './verification.ts';
import { WitnessedHeads } from './witness.ts';

const dayMs = 86_400_000;

/** Rows that the product is about to delete. */
export interface Purge {
  /** Tenant whose rows are deleted; all by default. */
  readonly tenant?: string;
  /** Tables of the rows; all by default. */
  readonly tables?: readonly string[];
  /** Milliseconds since 1970, a whole second: rows that were created before are deleted. */
  readonly before: number;
}

/** Options of the evidence of a server. */
export interface EvidenceOptions {
  readonly db: Database;
  readonly keys: Keys;
  /** Sealed tables of the plugins; those of the kernel are added. */
  readonly tables: () => readonly SealedTable[];
  /** File of the heads that this server has seen; undefined keeps them in memory. */
  readonly witnessPath?: string | undefined;
  readonly marginMs?: number;
}

/** State of the evidence of a deployment. */
export interface EvidenceState {
  /** Time of the last verification; undefined before the first one. */
  readonly checkedAt: string | undefined;
  readonly rows: number;
  readonly differences: readonly string[];
  readonly unsealedSeconds: number;
}

/** Milliseconds since 1970 at which an id was made. */
const msOfId = (id: string): number => Number(BigInt(id) >> 22n) + 1_704_067_200_000;

/** Seals of logs and of money: rows that someone edits, inserts or deletes in the database are found. */
export class Evidence {
  readonly store: SealStore;
  readonly sealing: Sealing;
  private readonly db: Database;
  private readonly verification: Verification;
  private readonly witness: WitnessedHeads;
  private readonly tables: () => readonly SealedTable[];
  private readonly startedAt = Date.now();
  /** Sentences about chains that have gone back. */
  private lostHeads: readonly string[] = [];
  /** Milliseconds since 1970 up to which the rows of each table are sealed. */
  private sealedTo: ReadonlyMap<string, number> = new Map();

  constructor({ db, keys, tables, witnessPath, marginMs }: EvidenceOptions) {
    this.db = db;
    this.store = new SealStore(db, new SealKeys(keys));
    this.witness = new WitnessedHeads(witnessPath);
    this.tables = () => [...auditTables, ...tables()];
    this.sealing = new Sealing(db, this.store, this.tables, marginMs === undefined ? {} : { marginMs });
    this.verification = new Verification(db, this.store, this.tables, this.witness);
  }

  /** Seals what is complete, and remembers on this server how far; returns the number of sealed rows. */
  async seal(signal?: AbortSignal): Promise<number> {
    try {
      return await this.sealing.run(signal);
    } finally {
      const heads = (await this.db.asPlatform('reads the heads of all chains', () => this.store.heads())).filter((head) => this.store.isSigned(head));
      this.lostHeads = this.witness
        .lost(heads)
        .map(({ tenant, source, number }) => `${tenant} ${source}: the chain has lost seal ${number}, which this server had seen`);
      await this.witness.see(heads);
      this.sealedTo = new Map(heads.filter(({ tenant }) => tenant === everyTenant).map(({ source, toId }) => [source, msOfId(toId)]));
    }
  }

  /** Compares all sealed rows with their seals, and stores the result if all tenants were verified. */
  async verify(request: VerificationRequest = {}): Promise<VerificationReport> {
    const report = await this.verification.run(request);
    if (request.tenant === undefined)
      await this.db.asPlatform('stores the result of a verification', () =>
        this.db.sql.execute(sql`insert into evidence_check (id, checked_at, rows, differences)
          values (1, now(), ${report.rows}, ${JSON.stringify(report.differences.slice(0, 100))}::jsonb)
          on conflict (id) do update set checked_at = excluded.checked_at, rows = excluded.rows, differences = excluded.differences`),
      );
    return report;
  }

  /** Returns the state for health and metrics: the differences of the last verification, its time as text, and the age of the oldest row that may not be sealed yet. */
  async state(): Promise<EvidenceState> {
    const [check] = await this.db.asPlatform('reads the result of the last verification', () =>
      queryRows<{ time: string; rows: number; differences: readonly string[] }>(
        this.db,
        sql`select to_char(checked_at, 'YYYY-MM-DD HH24:MI:SS') as time, rows::float8 as rows, differences from evidence_check`,
      ),
    );
    const times = this.tables().map(({ table }) => this.sealedTo.get(table) ?? this.startedAt);
    const unsealedSeconds = (Date.now() - Math.min(...times)) / 1000;
    return { checkedAt: check?.time, rows: check?.rows ?? 0, differences: [...(check?.differences ?? []), ...this.lostHeads], unsealedSeconds };
  }

  /** Records in the chains that the product deletes rows, before it does, so that no verification reports them. A time before that of an earlier record adds nothing. */
  async recordPurge({ tenant = everyTenant, tables, before }: Purge): Promise<void> {
    const permanent = new Set(this.tables().flatMap(({ table, isPermanent }) => (isPermanent ? [table] : [])));
    await this.db.asPlatform('records the deletion of rows of all tenants', async () => {
      await this.store.lock();
      for (const { source } of (await this.store.heads()).filter((head) => head.tenant === tenant)) {
        if (permanent.has(source) || (tables && !tables.includes(source))) continue;
        const head = await this.store.openHead(tenant, source);
        if (before > head.purgedBefore) await this.appendPurge(head, before);
      }
    });
  }

  private async appendPurge(head: HeadContent, before: number): Promise<void> {
    const { toId } = head;
    await this.store.append(
      head,
      { kind: 'purge', fromId: toId, toId, rowCount: 0, columns: '', purgedBefore: before, ...new RowDigest(head.source, true).end() },
      { purgedBefore: before },
    );
    if (head.tenant === everyTenant)
      for (const chain of await this.store.heads(head.source)) if (chain.tenant !== everyTenant) await this.dropSeals(chain, before);
  }

  /** Deletes seals whose rows are deleted, except those that a destination has not received. Their ids tell the time of their rows, with a day for clocks that differ. */
  private async dropSeals({ tenant, source }: HeadContent, before: number): Promise<void> {
    const head = await this.store.openHead(tenant, source);
    const [last] = await queryRows<{ number: number; hash: string; toId: string }>(
      this.db,
      sql`select number::float8 as number, hash, to_id::text as "toId" from evidence_seal where tenant = ${tenant} and source = ${source}
            and to_id < ((${before - dayMs}::bigint - 1704067200000) << 22) and position <= coalesce((select min(position) from evidence_stream where leased_until > now() - interval '7 days'), position)
          order by number desc limit 1`,
    );
    if (!last) return;
    await this.store.saveHead({ ...head, baseNumber: last.number, baseHash: last.hash, baseId: last.toId });
    await this.db.sql.execute(sql`delete from evidence_seal where tenant = ${tenant} and source = ${source} and number <= ${last.number}`);
  }
}
