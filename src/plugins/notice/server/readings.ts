import { and, eq, isNotNull, type SQL, sql } from 'drizzle-orm';
import {
  ApiError,
  actingAs,
  currentActor,
  idArray,
  type Principal,
  problems,
  queryRows,
  repositoryOf,
  type ServerContext,
  tableOf,
  visibleRows,
} from '#server';
import type { InputOf, ReplyOf } from '#shared/contract';
import { Notice, type NoticeReader, type NoticeRow, noticeLine, type readers, type reading } from '../contract.ts';
import { isAddressedTo, linkOf } from './releases.ts';

const notices = tableOf(Notice);
const maxPageSize = 200;

/** Serves notices to their readers and records who has read them. */
export class Readings {
  private readonly db;
  private readonly repository;
  private readonly lines;

  constructor(private readonly context: Pick<ServerContext, 'db' | 'inbox'>) {
    this.db = context.db;
    this.repository = repositoryOf(this.db, Notice);
    this.lines = repositoryOf(this.db, noticeLine.entity);
  }

  /** Lists released notices addressed to the reader. */
  async page(reader: Principal, input: InputOf<typeof reading.list>): Promise<ReplyOf<typeof reading.list>> {
    const sorted = input.ascs || input.descs ? input : { ...input, descs: 'release_time' };
    const { records, ...page } = await withoutDataScopes(() => this.lines.page(sorted, readable(reader)));
    const ids = records.map(({ id }) => id);
    const read = await queryRows<{ id: string }>(
      this.db,
      sql`select notice_id::text as id from notice_read where user_id = ${reader.userId} and notice_id = any(${idArray(ids)})`,
    );
    const readIds = new Set(read.map(({ id }) => id));
    return { ...page, records: records.map((row) => ({ ...row, isRead: readIds.has(row.id) })) };
  }

  /** Returns the latest of these notices with their content. */
  async latest(reader: Principal, count: number): Promise<readonly NoticeRow[]> {
    return (await withoutDataScopes(() => this.repository.page({ size: count, descs: 'release_time' }, readable(reader)))).records;
  }

  /** Returns a notice; one that is not addressed to the reader is reported as not found. */
  async open(reader: Principal, id: string): Promise<NoticeRow> {
    const [row] = await withoutDataScopes(() => this.repository.list(and(eq(notices.id, id), readable(reader))));
    if (!row) throw new ApiError(problems.notFound);
    return row;
  }

  /** Marks notices as read, with their messages in the inbox. A repeated call keeps the first time; notices for others are ignored. */
  async read(reader: Principal, ids: readonly string[]): Promise<void> {
    await this.db.sql.execute(sql`
      insert into notice_read (notice_id, user_id) select ${notices.id}, ${reader.userId} from ${notices}
      where ${notices.id} = any(${idArray(ids)}) and ${notices.isDeleted} = 0 and ${readable(reader)}
      on conflict do nothing`);
    await this.context.inbox.markRead({ user: reader.userId, links: ids.map(linkOf) });
  }

  async readers({ id, current, size }: InputOf<typeof readers.list>): Promise<ReplyOf<typeof readers.list>> {
    const pageSize = Math.min(size, maxPageSize);
    const readersQuery = sql`from ${notices} join user_account u on u.is_deleted = 0 and ${isAddressedTo(sql`u.id`)} and ${visibleRows(this.db, 'user_account', 'u')}
      left join notice_read r on r.notice_id = ${notices.id} and r.user_id = u.id
      where ${notices.id} = ${id} and ${notices.isDeleted} = 0 and ${visibleRows(this.db, Notice.name)}`;
    const [counted] = await queryRows<{ total: number }>(this.db, sql`select count(*)::integer as total ${readersQuery}`);
    const total = counted?.total ?? 0;
    const records = await queryRows<NoticeReader>(
      this.db,
      sql`select u.id::text as id, u.account, u.real_name as "realName", to_char(r.read_time, 'YYYY-MM-DD HH24:MI:SS') as "readTime" ${readersQuery}
          order by r.read_time desc nulls last, u.id limit ${pageSize} offset ${(current - 1) * pageSize}`,
    );
    return { records, total, totalExact: true, size: pageSize, current, pages: pageSize === 0 ? 0 : Math.ceil(total / pageSize) };
  }
}

const readable = ({ userId }: Principal): SQL => and(isNotNull(notices.releasedAt), isAddressedTo(sql`${userId}::bigint`)) as SQL;

/** Runs without data scopes, which limit the notices a user manages but not those they read. */
function withoutDataScopes<Result>(work: () => Result): Result {
  const actor = currentActor();
  return actor ? actingAs({ ...actor, dataScopes: new Map() }, work) : work();
}
