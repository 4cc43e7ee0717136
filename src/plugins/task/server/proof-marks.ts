import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { rowsOf, type ServerContext, seenRows } from '#server';
import type { ProofInput, ProofTwin } from '../contract.ts';
import { idArray } from './timeline.ts';

/** What a proof can be told again by. */
export interface Mark {
  readonly kind: 'image' | 'link';
  readonly mark: string;
}

const mostTwins = 5;
/** Parameters by which the same place is shared again and again. */
const sharing = /^(utm_\w+|share\w*|from|source|timestamp|ts|t|spm|scene|xsec_\w+|app\w*)$/i;

/** Where a link leads, whatever it was shared with: host and path, the parameters in order of their names. */
export function placeOf(link: string): string | undefined {
  if (!URL.canParse(link)) return undefined;
  const { hostname, pathname, searchParams } = new URL(link);
  const kept = [...searchParams].filter(([name]) => !sharing.test(name)).sort(([one], [other]) => (one < other ? -1 : 1));
  return `${hostname.replace(/^(www|m)\./, '')}${pathname.replace(/\/+$/, '')}?${new URLSearchParams(kept)}`;
}

/** The marks of a proof. Reads its pictures, so it is asked before a transaction begins; one that is nowhere to be found has none. */
export async function marksOf(files: ServerContext['files'], tenantId: string, { link, images }: ProofInput): Promise<Mark[]> {
  const place = link ? placeOf(link) : undefined;
  const marks: Mark[] = place ? [{ kind: 'link', mark: createHash('sha256').update(place).digest('hex') }] : [];
  for (const image of images ?? []) {
    const key = /[?&]key=([0-9a-f]{32})\b/.exec(image)?.[1];
    const file = key ? await files.findKey(tenantId, key) : undefined;
    if (!file) continue;
    const hash = createHash('sha256');
    for await (const chunk of await files.open(file)) hash.update(chunk as Buffer);
    marks.push({ kind: 'image', mark: hash.digest('hex') });
  }
  return marks;
}

/** Keeps the marks of a proof with it. */
export async function keepMarks(db: ServerContext['db'], submissionId: string, marks: readonly Mark[]): Promise<void> {
  for (const { kind, mark } of marks)
    await db.sql.execute(
      sql`insert into task_proof_mark (tenant_id, mark, kind, submission_id)
          select tenant_id, ${mark}, ${kind}, id from task_submission where id = ${submissionId} on conflict do nothing`,
    );
}

/** Other proof that bears a mark of these, by the submission it is like; the latest few of each. */
export async function twinsOf(db: ServerContext['db'], ids: readonly string[]): Promise<Map<string, ProofTwin[]>> {
  const rows = await rowsOf<ProofTwin & { of: string }>(
    db,
    sql`select own.id::text as of, twin.* from unnest(${idArray(ids)}) own (id) cross join lateral (
          select s.id::text as id, min(theirs.kind) as by, s.task_title as "taskTitle", s.nick_name as "nickName",
            to_char(s.submit_time, 'YYYY-MM-DD HH24:MI:SS') as "submitTime", s.audit_status as "auditStatus"
          from task_proof_mark mine join task_proof_mark theirs on theirs.mark = mine.mark and theirs.submission_id <> mine.submission_id
          join task_submission s on s.id = theirs.submission_id and s.is_deleted = 0 and ${seenRows(db, 'task_submission', 's')}
          where mine.submission_id = own.id group by s.id order by s.id desc limit ${mostTwins}) twin`,
  );
  const twins = new Map<string, ProofTwin[]>();
  for (const { of, ...twin } of rows) twins.set(of, [...(twins.get(of) ?? []), twin]);
  return twins;
}
