import { sql } from 'drizzle-orm';
import type { Database } from '../../data/database/database.ts';
import { queryRows } from '../../data/database/rows.ts';
import { verifyRows } from './range-verification.ts';
import { emptyHead, everyTenant, type Head, type HeadContent, type Seal, sealHash } from './seal.ts';
import type { SealStore } from './seal-store.ts';
import { columnsOf, readRows, type SealedTable, tenantsIn } from './sealed-table.ts';
import type { WitnessedHeads } from './witness.ts';

/** Seals that are read at a time. */
const sealsAtOnce = 100;
/** Largest number of rows that a sentence names. */
const maxNamed = 20;

/** Findings about the rows of one tenant in one table; `differences` are sentences. */
export interface ChainReport {
  /** `*` for what concerns all tenants. */
  readonly tenant: string;
  readonly table: string;
  /** Numbers of the verified seals; 0 without any. */
  readonly firstSeal: number;
  readonly lastSeal: number;
  /** Rows that are as they were sealed, and rows that the product has deleted meanwhile. */
  readonly rows: number;
  readonly purged: number;
  readonly differences: readonly string[];
}

/** A verification to run. */
export interface VerificationRequest {
  /** Tenant whose chains are verified; all by default. */
  readonly tenant?: string | undefined;
  readonly signal?: AbortSignal;
  /** Receives the report of each chain. */
  onChain?(report: ChainReport): void;
}

/** Result of a verification. */
export interface VerificationReport {
  readonly chains: number;
  readonly rows: number;
  readonly differences: readonly string[];
}

/** A chain to verify, as it was found; `end` is the id up to which the rows of its table are sealed. */
interface Chain extends Pick<ChainReport, 'tenant' | 'table'> {
  readonly stored: Head | undefined;
  readonly columns: ReadonlyMap<string, string>;
  readonly end: string;
}

/** Compares all sealed rows with their seals, a few at a time, while servers run. */
export class Verification {
  constructor(
    private readonly db: Database,
    private readonly store: SealStore,
    private readonly tables: () => readonly SealedTable[],
    private readonly witness: WitnessedHeads,
  ) {}

  async run({ tenant, signal, onChain }: VerificationRequest = {}): Promise<VerificationReport> {
    const differences: string[] = [];
    let [chains, rows] = [0, 0];
    for (const [table, tenants] of await this.chainsByTable())
      for (const one of tenants) {
        signal?.throwIfAborted();
        if (tenant !== undefined && one !== tenant && one !== everyTenant) continue;
        const report = await this.verifyChain(one, table, signal);
        onChain?.(report);
        chains += 1;
        rows += report.rows;
        differences.push(...report.differences.map((text) => `${one} ${table}: ${text}`));
      }
    return { chains, rows, differences };
  }

  /** Lists the chains by table: those that exist, those that this server has seen, and those that rows of declared tables should have. */
  private async chainsByTable(): Promise<Map<string, string[]>> {
    const found = new Map<string, Set<string>>();
    const add = (source: string, tenant: string) => found.set(source, (found.get(source) ?? new Set()).add(tenant));
    await this.acrossTenants(async () => {
      for (const { tenant, source } of [...(await this.store.heads()), ...(await this.store.chains()), ...this.witness.all()]) add(source, tenant);
      for (const table of found.keys()) {
        if ((await columnsOf(this.db, table)).size === 0) continue;
        for (const tenant of await tenantsIn(this.db, table)) add(table, tenant);
      }
    });
    return new Map([...found].sort(([one], [other]) => (one < other ? -1 : 1)).map(([table, tenants]) => [table, [...tenants].sort()]));
  }

  private async verifyChain(tenant: string, table: string, signal?: AbortSignal): Promise<ChainReport> {
    // The end of what is sealed comes first: seals that are added meanwhile do not count.
    const [whole, stored, columns] = await this.acrossTenants(async () => [
      await this.store.headOf(everyTenant, table),
      await this.store.headOf(tenant, table),
      await columnsOf(this.db, table),
    ]);
    const report = await this.walkChain({ tenant, table, stored, columns, end: whole?.toId ?? '0' }, signal);
    if (report.differences.length === 0 || !stored) return report;
    // Seals that were purged meanwhile are no difference.
    const head = await this.acrossTenants(() => this.store.headOf(tenant, table));
    return head?.baseNumber === stored.baseNumber || !head || !this.store.isSigned(head) ? report : this.verifyChain(tenant, table, signal);
  }

  private async walkChain({ tenant, table, stored, columns, end }: Chain, signal?: AbortSignal): Promise<ChainReport> {
    const differences: string[] = [];
    const head = stored ?? emptyHead(tenant, table);
    if (stored && !this.store.isSigned(stored)) differences.push('the head of the chain was changed: its signature is wrong');
    const walk = new ChainWalk(head, this.witness.of(head)?.number);
    const sums = { rows: 0, purged: 0 };
    for (let seals = await this.sealsAfter(stored, walk); seals.length > 0; seals = await this.sealsAfter(stored, walk))
      for (const seal of seals) {
        signal?.throwIfAborted();
        const after = walk.toId;
        const problem = walk.add(seal, this.store);
        if (problem !== undefined) differences.push(problem);
        // An altered seal says nothing about its rows.
        if (seal.kind !== 'rows' || problem !== undefined) continue;
        const result = await verifyRows({ db: this.db, store: this.store }, { seal, after, columns });
        sums.rows += result.rows;
        sums.purged += result.purged;
        differences.push(...result.differences);
      }
    differences.push(
      ...this.endDifferences(stored, head, walk),
      ...(await this.addedSeals(stored)),
      ...(await this.unsealedRows({ tenant, table, end }, lastId(walk.toId, head.toId))),
      ...(await this.differingRecords(tenant, table)),
    );
    return { tenant, table, firstSeal: walk.first, lastSeal: walk.number, ...sums, differences };
  }

  /** Compares the last seal with the head and with what this server has seen. */
  private endDifferences(stored: Head | undefined, head: HeadContent, walk: ChainWalk): string[] {
    const missing = (last: number) => `seals ${walk.number + 1} to ${last} were deleted`;
    if (!stored && walk.number > 0) return ['the head of the chain was deleted'];
    const seen = this.witness.of(head);
    if (walk.number < head.number) return [missing(head.number)];
    if (walk.number > head.number || walk.hash !== head.hash) return [`the head of the chain does not belong to seal ${walk.number}`];
    if (!seen || seen.number <= head.baseNumber) return [];
    if (seen.number > head.number) return [`${missing(seen.number)}, with the former head of the chain; this server had seen them`];
    return walk.seenHash === undefined || walk.seenHash === seen.hash ? [] : [`seal ${seen.number} is another one than this server had seen`];
  }

  /** Finds rows where all rows are sealed already, which no seal covers. */
  private async unsealedRows({ tenant, table, end }: Pick<Chain, 'tenant' | 'table' | 'end'>, after: string): Promise<string[]> {
    if (tenant === everyTenant || BigInt(end) <= BigInt(after)) return [];
    const range = { tenant, after, to: end };
    const ids = await this.acrossTenants(() => readRows(this.db, table, new Map([['id', 'int8']]), range, maxNamed));
    return ids.map(({ id }) => `row ${id} was inserted after the rows of its time had been sealed`);
  }

  /** Finds seals after the last one of the head. */
  private async addedSeals(stored: Head | undefined): Promise<string[]> {
    if (!stored) return [];
    return this.acrossTenants(async () => {
      await this.store.lock();
      const head = (await this.store.headOf(stored.tenant, stored.source)) ?? stored;
      const added = await this.store.seals(head, head.number, maxNamed);
      return added.map(({ number }) => `seal ${number} was inserted`);
    });
  }

  private async differingRecords(tenant: string, table: string): Promise<string[]> {
    const statement = this.tables().find((one) => one.table === table)?.differing;
    if (!statement || tenant === everyTenant) return [];
    const rows = await this.acrossTenants(async () => {
      await queryRows(this.db, sql`set local statement_timeout = 0`);
      return queryRows<{ name: string }>(this.db, statement(tenant));
    });
    return rows.map(({ name }) => `${name} is not as its last sealed row says`);
  }

  /** Reads the next seals, up to the one of the head if there is a head. */
  private async sealsAfter(head: Head | undefined, { chain, number }: ChainWalk): Promise<Seal[]> {
    const limit = head ? Math.min(sealsAtOnce, head.number - number) : sealsAtOnce;
    if (limit <= 0) return [];
    const seals = await this.acrossTenants(() => this.store.seals(chain, number, limit));
    return head ? seals.filter((seal) => seal.number <= head.number) : seals;
  }

  private acrossTenants<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.db.asPlatform('compares the rows of all tenants with their seals', work);
  }
}

const lastId = (one: string, other: string): string => (BigInt(one) > BigInt(other) ? one : other);

/** Follows the seals of a chain from its beginning. */
class ChainWalk {
  number: number;
  hash: string;
  toId: string;
  first = 0;
  /** Hash of the seal that this server had seen last. */
  seenHash: string | undefined;

  constructor(
    readonly chain: HeadContent,
    private readonly seenNumber: number | undefined,
  ) {
    [this.number, this.hash, this.toId] = [chain.baseNumber, chain.baseHash, chain.baseId];
  }

  /** Takes the next seal and returns what is wrong with it. */
  add(seal: Seal, { keys }: SealStore): string | undefined {
    const problems: string[] = [];
    const { number, previous, hash } = seal;
    if (number !== this.number + 1)
      problems.push(`${this.number + 1 === number - 1 ? `seal ${number - 1} was` : `seals ${this.number + 1} to ${number - 1} were`} deleted`);
    else if (previous !== this.hash) problems.push(`seal ${number} does not follow seal ${number - 1}`);
    const isAltered = sealHash(seal) !== hash || !keys.verify(hash, seal);
    if (isAltered) problems.push(`seal ${number} (rows ${seal.fromId} to ${seal.toId}) was changed: its hash or signature is wrong`);
    this.first ||= number;
    this.number = number;
    this.hash = hash;
    if (number === this.seenNumber) this.seenHash = hash;
    this.toId = lastId(this.toId, seal.toId);
    return problems.length > 0 ? problems.join('; ') : undefined;
  }
}
