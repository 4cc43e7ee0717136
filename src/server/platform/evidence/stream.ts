import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { EvidenceConfiguration } from '../../base/configuration/log-sink-settings.ts';
import { inBatches, postLines } from '../../base/post-lines.ts';
import type { Database } from '../../data/database/database.ts';
import { queryRows } from '../../data/database/rows.ts';
import { everyTenant, type Seal } from './seal.ts';
import type { SealStore } from './seal-store.ts';
import { columnsOf, readRows } from './sealed-table.ts';
import { type EvidenceLine, sendToSyslog } from './syslog.ts';

const leaseSeconds = 120;
/** Largest numbers of seals and, but for a single seal, of lines that are sent together. */
const most = { seals: 50, lines: 1000 };

/** A destination of sealed lines and of their seals; sending rejects unless it has all of them. */
export interface Destination {
  readonly name: string;
  send(lines: readonly EvidenceLine[], signal: AbortSignal): Promise<void>;
}

/** Returns the destinations that a deployment has set up. */
export function destinationsOf({ http, syslog }: EvidenceConfiguration): Destination[] {
  return [
    ...(http ? [{ name: 'http', send: (lines: readonly EvidenceLine[], signal: AbortSignal) => sendByHttp(http, lines, signal) }] : []),
    ...(syslog ? [{ name: 'syslog', send: (lines: readonly EvidenceLine[], signal: AbortSignal) => sendToSyslog(syslog, lines, signal) }] : []),
  ];
}

async function sendByHttp(http: NonNullable<EvidenceConfiguration['http']>, lines: readonly EvidenceLine[], signal: AbortSignal): Promise<void> {
  const logs = new Set(lines.map(({ log }) => log));
  for (const log of logs) {
    const texts = lines.filter((line) => line.log === log).map((line) => `${JSON.stringify(line)}\n`);
    for (const batch of inBatches(texts)) await postLines(http, log, batch.join(''), signal);
  }
}

/**
 * Sends each seal after its lines to the destinations, at least once and in the order of the seals. The database itself is the buffer: a destination that is away gets
 * everything later. One server at a time sends to a destination.
 */
export class EvidenceStream {
  private readonly lease = randomUUID();

  constructor(
    private readonly db: Database,
    private readonly store: SealStore,
    readonly destinations: readonly Destination[],
  ) {}

  /** Sends what the destinations have not received. A destination that fails does not hold up the others; its error is thrown after them. */
  async run(signal: AbortSignal): Promise<void> {
    const results = await Promise.allSettled(this.destinations.map((destination) => this.sendTo(destination, signal)));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }

  /** Counts the seals that a destination has not received, and the seconds since the first of them. */
  async waiting({ name }: Destination): Promise<{ seals: number; seconds: number }> {
    const [row] = await this.acrossTenants(() =>
      queryRows<{ seals: number; seconds: number }>(
        this.db,
        sql`select count(*)::float8 as seals, coalesce(extract(epoch from clock_timestamp()) - min(sealed_at) / 1000, 0)::float8 as seconds
            from evidence_seal where position > coalesce((select position from evidence_stream where destination = ${name}), 0)`,
      ),
    );
    return row ?? { seals: 0, seconds: 0 };
  }

  private async sendTo({ name, send }: Destination, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const position = await this.takeLease(name);
      if (position === undefined) return;
      const { lines, last } = await this.linesAfter(position);
      if (last === undefined) return;
      await send(lines, signal);
      await this.acrossTenants(() =>
        this.db.sql.execute(sql`update evidence_stream set position = ${last}::bigint where destination = ${name} and lease = ${this.lease}`),
      );
    }
  }

  /** Returns the position of a destination; undefined while another server sends to it. */
  private async takeLease(destination: string): Promise<string | undefined> {
    const [row] = await this.acrossTenants(() =>
      queryRows<{ position: string }>(
        this.db,
        sql`insert into evidence_stream as known (destination, lease, leased_until) values (${destination}, ${this.lease}, now() + make_interval(secs => ${leaseSeconds}))
            on conflict (destination) do update set lease = excluded.lease, leased_until = excluded.leased_until
            where known.lease = excluded.lease or known.leased_until < now() returning position::text as position`,
      ),
    );
    return row?.position;
  }

  private async linesAfter(position: string): Promise<{ lines: EvidenceLine[]; last: string | undefined }> {
    const lines: EvidenceLine[] = [];
    let last: string | undefined;
    for (const seal of await this.acrossTenants(() => this.store.sealsAfter(position, most.seals))) {
      if (last !== undefined && lines.length + seal.rowCount > most.lines) break;
      lines.push(...(await this.acrossTenants(() => this.rowLines(seal))), sealLine(seal));
      last = seal.position;
    }
    return { lines, last };
  }

  private async rowLines({ tenant, source, number, fromId, toId, columns: names, rowCount }: Seal): Promise<EvidenceLine[]> {
    if (rowCount === 0 || tenant === everyTenant) return [];
    const known = await columnsOf(this.db, source);
    const columns = new Map(names.split(',').flatMap((name) => (known.has(name) ? [[name, known.get(name) ?? ''] as const] : [])));
    const rows = await readRows(this.db, source, columns, { tenant, after: fromId, to: toId }, most.lines);
    return rows.map(({ body }) => {
      const values = JSON.parse(body) as (string | null)[];
      return { log: source, tenant, seal: number, row: Object.fromEntries([...columns.keys()].map((name, index) => [name, values[index]])) };
    });
  }

  private acrossTenants<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.db.asPlatform('sends seals and sealed rows of all tenants', work);
  }
}

const sealLine = ({ position, source, ...seal }: Seal): EvidenceLine => ({ log: 'evidence_seal', position, table: source, ...seal });
