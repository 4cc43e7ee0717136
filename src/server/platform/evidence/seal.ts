import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Keys } from '../../base/configuration/secret-key.ts';
import type { SealedRow } from './sealed-table.ts';

/** Name of the chain of a table that belongs to no tenant. */
export const everyTenant = '*';

/** Signature of a seal or of a head, with the fingerprint of its key. */
export interface Signature {
  readonly keyId: string;
  readonly mac: string;
}

/** Content of a seal; its hash covers all of it. Times are milliseconds since 1970, and ids texts. */
export interface SealContent {
  readonly tenant: string;
  readonly source: string;
  readonly number: number;
  /** `rows` seals rows; `purge` tells that rows that were created before `purgedBefore` are deleted. */
  readonly kind: 'rows' | 'purge';
  /** Ids of the rows are greater than this one. */
  readonly fromId: string;
  readonly toId: string;
  readonly rowCount: number;
  readonly columns: string;
  readonly digest: string;
  readonly marksDigest: string;
  readonly purgedBefore: number;
  readonly sealedAt: number;
  /** Hash of the seal before it; '' for the first one. */
  readonly previous: string;
}

/** A stored seal. */
export interface Seal extends SealContent, Signature {
  readonly hash: string;
  readonly position: string;
}

/** End and beginning of a chain. Seals up to `baseNumber` and their rows are purged. */
export interface HeadContent {
  readonly tenant: string;
  readonly source: string;
  readonly number: number;
  readonly hash: string;
  readonly toId: string;
  readonly baseNumber: number;
  readonly baseHash: string;
  readonly baseId: string;
  readonly purgedBefore: number;
}

/** A stored head. */
export interface Head extends HeadContent, Signature {}

const sha256 = (text: string | Uint8Array) => createHash('sha256').update(text).digest('hex');

/** Computes the hash of a seal. */
export const sealHash = (seal: SealContent): string =>
  sha256(
    JSON.stringify([
      'marquee seal 1',
      ...[seal.tenant, seal.source, seal.number, seal.kind, seal.fromId, seal.toId, seal.rowCount, seal.columns, seal.digest, seal.marksDigest],
      ...[seal.purgedBefore, seal.sealedAt, seal.previous],
    ]),
  );

/** Returns the text of a head that is signed. */
export const headText = (head: HeadContent): string =>
  JSON.stringify([
    'marquee head 1',
    ...[head.tenant, head.source, head.number, head.hash, head.toId, head.baseNumber, head.baseHash, head.baseId, head.purgedBefore],
  ]);

/** The head of a chain that has no seal yet. */
export const emptyHead = (tenant: string, source: string): HeadContent => ({
  ...{ tenant, source, number: 0, hash: '', toId: '0' },
  ...{ baseNumber: 0, baseHash: '', baseId: '0', purgedBefore: 0 },
});

/** Signs seals and heads with keys that are derived from the secrets of the deployment. */
export class SealKeys {
  private readonly keys: ReadonlyMap<string, Uint8Array>;
  readonly currentId: string;

  constructor(keys: Keys) {
    this.keys = new Map(keys.map((key) => [keyIdOf(key), key]));
    this.currentId = keyIdOf(keys[0]);
  }

  sign(text: string): Signature {
    return { keyId: this.currentId, mac: this.macOf(text, this.currentId) ?? '' };
  }

  /** Tests a signature; an unknown key fails. */
  verify(text: string, { keyId, mac }: Signature): boolean {
    const [expected, actual] = [Buffer.from(this.macOf(text, keyId) ?? '', 'hex'), Buffer.from(mac, 'hex')];
    return expected.length > 0 && expected.length === actual.length && timingSafeEqual(expected, actual);
  }

  private macOf(text: string, keyId: string): string | undefined {
    const key = this.keys.get(keyId);
    return key && createHmac('sha256', key).update(text).digest('hex');
  }
}

const keyIdOf = (key: Uint8Array): string => createHash('sha256').update('marquee evidence key id').update(key).digest('hex').slice(0, 8);

/** Hash of a row. */
const rowHash = (source: string, body: string): Buffer => createHash('sha256').update(`${source}\n${body}`).digest();

const markBytes = 20;
const hashBytes = 8;

/** Place of a row in its seal: its id, the second of its creation and the beginning of its hash. */
export interface RowMark {
  readonly id: string;
  readonly at: number;
  readonly hash: string;
}

/** Sums up rows in the order of their ids. */
export class RowDigest {
  private readonly digest = createHash('sha256');
  private readonly parts: Buffer[] = [];
  count = 0;

  /** `isMarking` also collects the mark of each row. */
  constructor(
    private readonly source: string,
    private readonly isMarking = false,
  ) {}

  add({ id, at, body }: SealedRow): void {
    const hash = rowHash(this.source, body);
    this.digest.update(`${id}\n`).update(hash);
    this.count += 1;
    if (!this.isMarking) return;
    const mark = Buffer.alloc(markBytes);
    mark.writeBigInt64BE(BigInt(id), 0);
    mark.writeUInt32BE(Math.max(0, Math.min(at, 4_294_967_295)), hashBytes);
    hash.copy(mark, markBytes - hashBytes, 0, hashBytes);
    this.parts.push(mark);
  }

  end(): { digest: string; marks: Buffer; marksDigest: string } {
    const marks = Buffer.concat(this.parts);
    return { digest: this.digest.digest('hex'), marks, marksDigest: sha256(marks) };
  }
}

/** Reads the marks of a seal; undefined if they are not those that were sealed. */
export function readMarks(marks: Buffer, { marksDigest, rowCount }: Pick<SealContent, 'marksDigest' | 'rowCount'>): RowMark[] | undefined {
  if (sha256(marks) !== marksDigest || marks.length !== rowCount * markBytes) return undefined;
  return Array.from({ length: rowCount }, (_, index) => {
    const mark = marks.subarray(index * markBytes, (index + 1) * markBytes);
    return { id: String(mark.readBigInt64BE(0)), at: mark.readUInt32BE(hashBytes), hash: mark.subarray(markBytes - hashBytes).toString('hex') };
  });
}

/** Tests whether a row is the one of a mark. */
export const isMarked = (source: string, { body }: SealedRow, { hash }: RowMark): boolean =>
  rowHash(source, body).subarray(0, hashBytes).toString('hex') === hash;
