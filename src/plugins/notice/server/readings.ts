import { and, eq, isNotNull, type SQL, sql } from 'drizzle-orm';
import { actingAs, currentActor, type Principal, problems, Refusal, repositoryOf, rowsOf, type ServerContext, seenRows, tableOf } from '#server';
import type { InputOf, ReplyOf } from '#shared/contract';
import { Notice, type NoticeReader, type NoticeRow, noticeLine, type readers, type reading } from '../contract.ts';
import { isFor } from './audience.ts';
import { linkTo } from './releases.ts';

const notices = tableOf(Notice);
const largestPage = 200;

/** What people read, and who has. */
export class Readings {
  private readonly whole;
  private readonly lines;

  private readonly db: ServerContext['db'];

  constructor(private readonly context: Pick<ServerContext, 'db' | 'inbox'>) {
    const { db } = context;
    this.db = db;
    this.whole = repositoryOf(db, Notice);
    this.lines = repositoryOf(db, noticeLine.entity);
  }

  /** Released and meant for the reader. */
  async page(reader: Principal, input: InputOf<typeof reading.list>): Promise<ReplyOf<typeof reading.list>> {
    const sorted = input.ascs || input.descs ? input : { ...input, descs: 'release_time' };
    const { records, ...page } = await asReader(() => this.lines.page(sorted, readable(reader)));
    const ids = records.map(({ id }) => id);
    const read = await rowsOf<{ id: string }>(
      this.db,
      sql`select notice_id::text as id from notice_read where user_id = ${reader.userId} and notice_id = any(${`{${ids.join(',')}}`}::bigint[])`,
    );
    const known = new Set(read.map(({ id }) => id));
    return { ...page, records: records.map((row) => ({ ...row, isRead: known.has(row.id) })) };
  }

  /** One that is not the reader's to read is as absent as one that never was. */
  async open(reader: Principal, id: string): Promise<NoticeRow> {
    const [row] = await asReader(() => this.whole.list(and(eq(notices.id, id), readable(reader))));
    if (!row) throw new Refusal(problems.notFound);
    return row;
  }

  /** The first time counts, and what stands under the bell about it is read as well; what is not the reader's is passed over. */
  async read(reader: Principal, ids: readonly string[]): Promise<void> {
    await this.db.sql.execute(sql`
      insert into notice_read (notice_id, user_id) select ${notices.id}, ${reader.userId} from ${notices}
      where ${notices.id} = any(${`{${ids.join(',')}}`}::bigint[]) and ${notices.isDeleted} = 0 and ${readable(reader)}
      on conflict do nothing`);
    await this.context.inbox.settle({ user: reader.userId, links: ids.map(linkTo) });
  }

  async readers({ id, current, size }: InputOf<typeof readers.list>): Promise<ReplyOf<typeof readers.list>> {
    const shown = Math.min(size, largestPage);
    const meant = sql`from ${notices} join user_account u on u.is_deleted = 0 and ${isFor(sql`u.id`)} and ${seenRows(this.db, 'user_account', 'u')}
      left join notice_read r on r.notice_id = ${notices.id} and r.user_id = u.id
      where ${notices.id} = ${id} and ${notices.isDeleted} = 0 and ${seenRows(this.db, Notice.name)}`;
    const [counted] = await rowsOf<{ total: number }>(this.db, sql`select count(*)::integer as total ${meant}`);
    const total = counted?.total ?? 0;
    const records = await rowsOf<NoticeReader>(
      this.db,
      sql`select u.id::text as id, u.account, u.real_name as "realName", to_char(r.read_time, 'YYYY-MM-DD HH24:MI:SS') as "readTime" ${meant}
          order by r.read_time desc nulls last, u.id limit ${shown} offset ${(current - 1) * shown}`,
    );
    return { records, total, totalExact: true, size: shown, current, pages: shown === 0 ? 0 : Math.ceil(total / shown) };
  }
}

const readable = ({ userId }: Principal): SQL => and(isNotNull(notices.releasedAt), isFor(sql`${userId}::bigint`)) as SQL;

/** Data scopes say which notices somebody manages; what is meant for them they read all the same. */
function asReader<Result>(work: () => Result): Result {
  const actor = currentActor();
  return actor ? actingAs({ ...actor, dataScopes: new Map() }, work) : work();
}
