import { sql } from 'drizzle-orm';
import { ApiError, idArray, queryRows, type Repository, repositoryOf, type ServerContext, visibleRows } from '#server';
import type { InputOf } from '#shared/contract';
import { type Language, localize } from '#shared/text';
import { EmailMessage, type emailMessage, emailProblems, retentionDays } from '../contract.ts';
import type { StoredMail } from './stored-mail.ts';

const batchSize = 1000;

/** The delivery log. */
export class EmailLog {
  private readonly rows: Repository<typeof EmailMessage>;

  constructor(
    private readonly context: Pick<ServerContext, 'db' | 'parameters'>,
    private readonly mail: StoredMail,
  ) {
    this.rows = repositoryOf(context.db, EmailMessage);
  }

  async page(input: InputOf<typeof emailMessage.list>, language: Language) {
    const titles = new Map<string, string>(this.mail.kinds().map(({ code, title }) => [code, localize(title, language)]));
    const page = await this.rows.page(input);
    return {
      ...page,
      records: page.records.map((row) => ({ ...row, kind: titles.get(row.kind) ?? row.kind })),
    };
  }

  /** Queues failed e-mails, and those that wait for their next attempt, to be sent at once. */
  async retry(ids: readonly string[]): Promise<void> {
    const { db } = this.context;
    const queued = await queryRows(
      db,
      sql`update email_message set state = 0, attempts = 0, due_at = date_trunc('second', now())
          where id = any(${idArray(ids)}) and state in (0, 3) and content is not null and ${visibleRows(db, 'email_message')} returning id`,
    );
    if (queued.length < new Set(ids).size) throw new ApiError(emailProblems.contentGone);
  }

  /** Deletes records after the retention period, and the content of e-mails that failed a week ago. */
  async prune(): Promise<void> {
    const { db, parameters } = this.context;
    const days = await parameters.integer(retentionDays);
    const deleteBatch = () =>
      db.asPlatform('deletes old e-mail records of all tenants', () =>
        queryRows(
          db,
          sql`delete from email_message where id in (
              select id from email_message where create_time < now() - make_interval(days => ${days}) order by create_time limit ${batchSize}) returning 1`,
        ),
      );
    while ((await deleteBatch()).length === batchSize);
    await db.asPlatform('deletes the content of old failed e-mails of all tenants', async () => {
      await queryRows(db, sql`update email_message set content = null where state = 3 and content is not null and attempted_at < now() - interval '7 days'`);
      // A test e-mail is not retried: if its server stopped while sending it, it counts as failed.
      await queryRows(
        db,
        sql`update email_message set state = 3, failure = 'connection' where state = 1 and due_at is null and attempted_at < now() - interval '1 hour'`,
      );
      await queryRows(db, sql`delete from email_digest where day < current_date - 30`);
    });
  }
}
