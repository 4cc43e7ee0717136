import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { idArray, queryRows, type ServerContext, visibleRows } from '#server';
import type { DuplicateProof, ProofInput } from '../contract.ts';

/** Fingerprint by which a repeated proof is recognized. */
export interface Fingerprint {
  readonly kind: 'image' | 'link';
  readonly mark: string;
}

const maxDuplicates = 5;
/** Query parameters that sharing adds to a link without changing its target. */
const trackingParam = /^(utm_\w+|share\w*|from|source|timestamp|ts|t|spm|scene|xsec_\w+|app\w*)$/i;

/** Normalizes a link to its target: host, path, and the parameters sorted by name without those added by sharing. */
export function normalizeLink(link: string): string | undefined {
  if (!URL.canParse(link)) return undefined;
  const { hostname, pathname, searchParams } = new URL(link);
  const relevantParams = [...searchParams].filter(([name]) => !trackingParam.test(name)).sort(([one], [other]) => (one < other ? -1 : 1));
  return `${hostname.replace(/^(www|m)\./, '')}${pathname.replace(/\/+$/, '')}?${new URLSearchParams(relevantParams)}`;
}

/** Computes the fingerprints of a proof. It reads the pictures, so call it before a transaction; missing pictures have no fingerprint. */
export async function fingerprintsOf(files: ServerContext['files'], tenantId: string, { link, images }: ProofInput): Promise<Fingerprint[]> {
  const normalizedLink = link ? normalizeLink(link) : undefined;
  const fingerprints: Fingerprint[] = normalizedLink ? [{ kind: 'link', mark: createHash('sha256').update(normalizedLink).digest('hex') }] : [];
  for (const image of images ?? []) {
    const key = /[?&]key=([0-9a-f]{32})\b/.exec(image)?.[1];
    const file = key ? await files.findKey(tenantId, key) : undefined;
    if (!file) continue;
    const hash = createHash('sha256');
    for await (const chunk of await files.open(file)) hash.update(chunk as Buffer);
    fingerprints.push({ kind: 'image', mark: hash.digest('hex') });
  }
  return fingerprints;
}

/** Stores the fingerprints of a proof. */
export async function storeFingerprints(db: ServerContext['db'], submissionId: string, fingerprints: readonly Fingerprint[]): Promise<void> {
  for (const { kind, mark } of fingerprints)
    await db.sql.execute(
      sql`insert into task_proof_mark (tenant_id, mark, kind, submission_id)
          select tenant_id, ${mark}, ${kind}, id from task_submission where id = ${submissionId} on conflict do nothing`,
    );
}

/** Finds other proofs with the same fingerprints: for each submission the latest `maxDuplicates`. */
export async function duplicatesOf(db: ServerContext['db'], ids: readonly string[]): Promise<Map<string, DuplicateProof[]>> {
  const rows = await queryRows<DuplicateProof & { submissionId: string }>(
    db,
    sql`select own.id::text as "submissionId", duplicate.* from unnest(${idArray(ids)}) own (id) cross join lateral (
          select s.id::text as id, min(theirs.kind) as by, s.task_title as "taskTitle", s.nick_name as "nickName",
            to_char(s.submit_time, 'YYYY-MM-DD HH24:MI:SS') as "submitTime", s.audit_status as "auditStatus"
          from task_proof_mark mine join task_proof_mark theirs on theirs.mark = mine.mark and theirs.submission_id <> mine.submission_id
          join task_submission s on s.id = theirs.submission_id and s.is_deleted = 0 and ${visibleRows(db, 'task_submission', 's')}
          where mine.submission_id = own.id group by s.id, s.tenant_id order by s.id desc limit ${maxDuplicates}) duplicate`,
  );
  const duplicatesById = new Map<string, DuplicateProof[]>();
  for (const { submissionId, ...duplicate } of rows) duplicatesById.set(submissionId, [...(duplicatesById.get(submissionId) ?? []), duplicate]);
  return duplicatesById;
}
