import { type SQL, sql } from 'drizzle-orm';
import type { Static } from 'typebox';
import { type Database, idArray, type Principal, queryRows } from '#server';
import { ApiError, problems } from '#shared/errors';
import type { OneTimePassword } from '#shared/one-time-passwords';
import type { Language, LocalizedText } from '#shared/text';
import type { ExportInput, ImportInput, RowProblem, TransferRow } from '#shared/transfer-schemas';
import type { HistoryRequest } from './history-export.ts';
import { transferProblems } from './problems.ts';
import { assertQueueCapacity, queuePositions } from './transfer-queue.ts';

/** Stored input of an export. */
export type StoredExport = Static<typeof ExportInput>;

/** An export or import that is to be run. */
export interface TransferRecord {
  readonly id: string;
  readonly tenantId: string;
  readonly kind: 'export' | 'import';
  readonly target: string;
  readonly title: LocalizedText;
  readonly ownerId: string;
  readonly ownerDept: string | undefined;
  readonly language: Language;
  readonly request: StoredExport | ImportInput | HistoryRequest;
  /** Rows processed before an interruption. */
  readonly progress: number;
  /** Rows that an export has written or an import has saved. */
  readonly good: number;
  /** Time of the claim; a later one means that another process has taken over. */
  readonly claimedAt: string;
}

/** Builds the condition that no other process has taken over a transfer since this claim. */
export const isClaimed = ({ id, claimedAt }: Pick<TransferRecord, 'id' | 'claimedAt'>): SQL =>
  sql`id = ${id} and state = 'running' and begin_time = ${claimedAt}::timestamptz`;

/** Result of a transfer. */
export interface TransferOutcome {
  readonly state: 'done' | 'failed' | 'cancelled';
  readonly message?: LocalizedText | undefined;
  /** Rows that an export has written or an import has saved. */
  readonly good?: number;
  /** Rows that an import has refused. */
  readonly bad?: number;
  readonly total?: number;
  readonly resultFileId?: string | undefined;
  readonly problemsFileId?: string | undefined;
}

interface StoredTransfer extends Omit<TransferRow, 'title' | 'message' | 'place'> {
  readonly titleZh: string;
  readonly titleEn: string;
  readonly messageZh: string | null;
  readonly messageEn: string | null;
}

const selectedColumns = sql.raw(`t.id::text as id, t.kind, t.title_zh as "titleZh", t.title_en as "titleEn", t.state, t.progress::integer as progress,
  t.total::integer as total, t.good::integer as good, t.bad::integer as bad, t.message_zh as "messageZh", t.message_en as "messageEn",
  f.name as "fileName", t.problems_id is not null as "hasProblems",
  exists (select from transfer_password p where p.transfer_id = t.id) as "hasPasswords", to_char(t.create_time, 'YYYY-MM-DD HH24:MI:SS') as "createTime",
  to_char(t.end_time, 'YYYY-MM-DD HH24:MI:SS') as "endTime", to_char(t.expires_at, 'YYYY-MM-DD HH24:MI:SS') as "expiresAt"`);

/** Hours for which a finished transfer and its files are stored. */
export const retentionHours = 24;

/** The table of transfers; each user sees only their own. */
export class TransferRows {
  constructor(private readonly db: Database) {}

  async add(
    principal: Principal,
    { kind, target, title, language, request, total }: Pick<TransferRecord, 'kind' | 'target' | 'title' | 'language' | 'request'> & { total?: number },
  ): Promise<string> {
    const { tenantId, userId, deptId } = principal;
    const [row] = await this.db.write({ tenantId }, async () => {
      await assertQueueCapacity(this.db, principal);
      return queryRows<{ id: string }>(
        this.db,
        sql`insert into transfer (kind, target, title_zh, title_en, owner_id, owner_dept, language, request, total)
            values (${kind}, ${target}, ${title[0]}, ${title[1]}, ${userId}, ${deptId ?? null}, ${language}, ${JSON.stringify(request)}::jsonb, ${total ?? null})
            returning id::text as id`,
      );
    });
    return row?.id ?? '';
  }

  list(principal: Principal, language: Language): Promise<TransferRow[]> {
    return this.select(principal, language, sql`true`);
  }

  async detail(principal: Principal, language: Language, id: string): Promise<TransferRow> {
    const [row] = await this.select(principal, language, sql`t.id = ${id}`);
    if (!row) throw new ApiError(problems.notFound);
    return row;
  }

  /** Returns the id of a file that a transfer has created. */
  async fileIdOf({ tenantId, userId }: Principal, id: string, part: 'result' | 'problems'): Promise<string | undefined> {
    const column = sql.raw(part === 'result' ? 'result_id' : 'problems_id');
    const [row] = await this.db.read({ tenantId }, () =>
      queryRows<{ file: string | null }>(this.db, sql`select ${column}::text as file from transfer where id = ${id} and owner_id = ${userId}`),
    );
    return row?.file ?? undefined;
  }

  /** Lists the problems of the rows of an import, at most two hundred. */
  async rowProblems({ tenantId, userId }: Principal, id: string, language: Language): Promise<RowProblem[]> {
    const message = sql.raw(language === 'zh' ? 'p.message_zh' : 'p.message_en');
    return this.db.read({ tenantId }, () =>
      queryRows(
        this.db,
        sql`select p.row_number as row, p.field, ${message} as message from transfer_problem p join transfer t on t.id = p.transfer_id
            where t.id = ${id} and t.owner_id = ${userId} order by p.row_number, p.field limit 200`,
      ),
    );
  }

  /** Returns the passwords that an import has assigned, and deletes them: each can be read once. */
  async takePasswords({ tenantId, userId }: Principal, id: string): Promise<OneTimePassword[]> {
    const rows = await this.db.write({ tenantId }, () =>
      queryRows<{ id: string; sealed: string }>(
        this.db,
        sql`delete from transfer_password p using transfer t where t.id = p.transfer_id and t.id = ${id} and t.owner_id = ${userId} and t.state not in ('queued', 'running')
            returning p.id::text as id, p.sealed`,
      ),
    );
    const sorted = rows.toSorted((one, other) => Number(BigInt(one.id) - BigInt(other.id)));
    return sorted.flatMap(({ sealed }) => JSON.parse(this.db.encryption.decrypt(sealed)) as OneTimePassword[]);
  }

  /** Requests the cancellation of a transfer; one that has not begun ends at once. */
  async cancel({ tenantId, userId }: Principal, id: string): Promise<void> {
    await this.db.write({ tenantId }, () =>
      queryRows(
        this.db,
        sql`update transfer set cancelled = true,
              end_time = case when state = 'queued' then now() else end_time end,
              expires_at = case when state = 'queued' then now() + make_interval(hours => ${retentionHours}) else expires_at end,
              state = case when state = 'queued' then 'cancelled' else state end
            where id = ${id} and owner_id = ${userId} and state in ('queued', 'running')`,
      ),
    );
  }

  /** Requeues a transfer of the user that has failed or was cancelled; returns false for any other. */
  async retry(principal: Principal, id: string): Promise<boolean> {
    const { tenantId, userId } = principal;
    const requeuedRows = await this.db.write({ tenantId }, async () => {
      await assertQueueCapacity(this.db, principal);
      await queryRows(
        this.db,
        sql`delete from transfer_problem where transfer_id in (select id from transfer where id = ${id} and owner_id = ${userId} and good = 0)`,
      );
      return queryRows(
        this.db,
        sql`update transfer set state = 'queued', cancelled = false, attempts = 0, end_time = null, expires_at = null, message_zh = null, message_en = null,
              progress = case when kind = 'import' and good > 0 then progress else 0 end, problems_id = null, bad = 0
            where id = ${id} and owner_id = ${userId} and state in ('failed', 'cancelled') returning id`,
      );
    });
    return requeuedRows.length > 0;
  }

  /** Removes finished transfers, and returns the ids of their files for removal. */
  async remove({ tenantId, userId }: Principal, ids: readonly string[]): Promise<string[]> {
    const own = sql`id = any(${idArray(ids)}) and owner_id = ${userId}`;
    const removedRows = await this.db.write({ tenantId }, async () => {
      const rows = await queryRows<{ result: string | null; problems: string | null }>(
        this.db,
        sql`delete from transfer where ${own} and state not in ('queued', 'running') returning result_id::text as result, problems_id::text as problems`,
      );
      if (rows.length > 0) return rows;
      const unfinished = await queryRows(this.db, sql`select from transfer where ${own} limit 1`);
      throw new ApiError(unfinished.length > 0 ? transferProblems.stillRunning : problems.notFound);
    });
    return removedRows.flatMap(({ result, problems }) => [result, problems].filter((file) => file !== null));
  }

  private async select({ tenantId, userId }: Principal, language: Language, where: SQL): Promise<TransferRow[]> {
    const rows = await this.db.read({ tenantId }, () =>
      queryRows<StoredTransfer>(
        this.db,
        sql`select ${selectedColumns} from transfer t left join stored_file f on f.id = t.result_id
            where t.owner_id = ${userId} and ${where} and (t.expires_at is null or t.expires_at > now()) order by t.id desc limit 100`,
      ),
    );
    const positions = await queuePositions(
      this.db,
      rows.filter(({ state }) => state === 'queued').map(({ id }) => id),
    );
    return rows.map(({ titleZh, titleEn, messageZh, messageEn, ...row }) => ({
      ...row,
      place: positions.get(row.id) ?? null,
      title: language === 'zh' ? titleZh : titleEn,
      message: language === 'zh' ? messageZh : messageEn,
    }));
  }
}
