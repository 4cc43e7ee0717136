import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../data/database/database.ts';
import { queryRows } from '../../data/database/rows.ts';
import { emptyHead, type Head, type HeadContent, headText, type Seal, type SealContent, type SealKeys, sealHash } from './seal.ts';

const headColumns = sql`tenant, source, number::float8 as number, hash, to_id::text as "toId", base_number::float8 as "baseNumber", base_hash as "baseHash",
  base_id::text as "baseId", purged_before::float8 as "purgedBefore", key_id as "keyId", mac`;
const sealColumns = sql`tenant, source, number::float8 as number, position::text as position, kind, from_id::text as "fromId", to_id::text as "toId",
  row_count as "rowCount", columns, digest, marks_digest as "marksDigest", purged_before::float8 as "purgedBefore", sealed_at::float8 as "sealedAt", previous, hash,
  key_id as "keyId", mac`;

/** Reports a head that this deployment has not signed, so that nothing may be added to its chain. */
export class ForgedHeadError extends Error {
  override readonly name = 'ForgedHeadError';

  constructor({ tenant, source }: Pick<Head, 'tenant' | 'source'>) {
    super(`The head of ${source} of tenant ${tenant} was not signed by this deployment. Run: npm run admin -- verify-evidence`);
  }
}

/** Content of a seal that is added to a chain. */
export type AddedSeal = Pick<SealContent, 'kind' | 'fromId' | 'toId' | 'rowCount' | 'columns' | 'digest' | 'marksDigest' | 'purgedBefore'> & {
  readonly marks: Buffer;
};

/** Reads and writes the chains of seals. Its methods are parts of transactions of the platform. */
export class SealStore {
  constructor(
    private readonly db: Database,
    readonly keys: SealKeys,
  ) {}

  /** Lets one server at a time add to chains, until the transaction ends. */
  lock(): Promise<void> {
    return this.db.lock('seals of evidence');
  }

  /** Lists the heads of one table or of all. */
  heads(source?: string): Promise<Head[]> {
    return queryRows<Head>(
      this.db,
      sql`select ${headColumns} from evidence_head where ${source ?? null}::text is null or source = ${source ?? null} order by source, tenant`,
    );
  }

  async headOf(tenant: string, source: string): Promise<Head | undefined> {
    const [head] = await queryRows<Head>(this.db, sql`select ${headColumns} from evidence_head where tenant = ${tenant} and source = ${source}`);
    return head;
  }

  /** Returns the head of a chain to which something is about to be added; throws if it is forged. */
  async openHead(tenant: string, source: string): Promise<HeadContent> {
    const head = await this.headOf(tenant, source);
    if (head && !this.isSigned(head)) throw new ForgedHeadError(head);
    return head ?? emptyHead(tenant, source);
  }

  isSigned(head: Head): boolean {
    return this.keys.verify(headText(head), head);
  }

  /** Adds a seal to the end of a chain and returns its new head. The lock must be held. */
  async append(head: HeadContent, { marks, ...added }: AddedSeal, changes: Partial<HeadContent> = {}): Promise<HeadContent> {
    const { tenant, source } = head;
    const content: SealContent = { ...added, tenant, source, number: head.number + 1, sealedAt: Date.now(), previous: head.hash };
    const hash = sealHash(content);
    const { keyId, mac } = this.keys.sign(hash);
    await this.db.sql.execute(sql`
      insert into evidence_seal (tenant, source, number, position, kind, from_id, to_id, row_count, columns, digest, marks, marks_digest, purged_before, sealed_at, previous,
        hash, key_id, mac)
      values (${tenant}, ${source}, ${content.number}, (select coalesce(max(position), 0) + 1 from evidence_seal), ${content.kind}, ${content.fromId}, ${content.toId},
        ${content.rowCount}, ${content.columns}, ${content.digest}, decode(${marks.toString('hex')}, 'hex'), ${content.marksDigest}, ${content.purgedBefore},
        ${content.sealedAt}, ${content.previous}, ${hash}, ${keyId}, ${mac})`);
    const next = { ...head, number: content.number, hash, toId: content.toId, ...changes };
    await this.saveHead(next);
    return next;
  }

  async saveHead(head: HeadContent): Promise<void> {
    const { keyId, mac } = this.keys.sign(headText(head));
    await this.db.sql.execute(sql`
      insert into evidence_head (tenant, source, number, hash, to_id, base_number, base_hash, base_id, purged_before, key_id, mac)
      values (${head.tenant}, ${head.source}, ${head.number}, ${head.hash}, ${head.toId}, ${head.baseNumber}, ${head.baseHash}, ${head.baseId}, ${head.purgedBefore},
        ${keyId}, ${mac})
      on conflict (tenant, source) do update set number = excluded.number, hash = excluded.hash, to_id = excluded.to_id, base_number = excluded.base_number,
        base_hash = excluded.base_hash, base_id = excluded.base_id, purged_before = excluded.purged_before, key_id = excluded.key_id, mac = excluded.mac`);
  }

  /** Lists seals of a chain after a number, at most `limit`. */
  seals({ tenant, source }: Pick<Seal, 'tenant' | 'source'>, after: number, limit: number): Promise<Seal[]> {
    return this.select(sql`tenant = ${tenant} and source = ${source} and number > ${after} order by number limit ${limit}`);
  }

  /** Lists seals of all chains after a position, at most `limit`. */
  sealsAfter(position: string, limit: number): Promise<Seal[]> {
    return this.select(sql`position > ${position}::bigint order by position limit ${limit}`);
  }

  /** Lists the chains that have seals, also those without a head. */
  async chains(): Promise<Pick<Seal, 'tenant' | 'source'>[]> {
    return queryRows(this.db, sql`select distinct tenant, source from evidence_seal`);
  }

  async marksOf({ tenant, source, number }: Pick<Seal, 'tenant' | 'source' | 'number'>): Promise<Buffer> {
    const [row] = await queryRows<{ marks: string }>(
      this.db,
      sql`select encode(marks, 'hex') as marks from evidence_seal where tenant = ${tenant} and source = ${source} and number = ${number}`,
    );
    return Buffer.from(row?.marks ?? '', 'hex');
  }

  private select(where: SQL): Promise<Seal[]> {
    return queryRows<Seal>(this.db, sql`select ${sealColumns} from evidence_seal where ${where}`);
  }
}
