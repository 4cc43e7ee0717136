import { sql } from 'drizzle-orm';
import { Refusal, type Repository, repositoryOf, type ServerContext } from '#server';
import { Sms, type SmsRow, smsProblems, smsStatus } from '../contract.ts';

/** A configuration with its keys in plain; never to be answered or written down. */
export type Opened = SmsRow & { readonly accessKey: string; readonly secretKey: string };

/** How tenants send; at most one configuration of each is enabled. */
export class Configurations {
  readonly rows: Repository<typeof Sms>;

  constructor(private readonly db: ServerContext['db']) {
    this.rows = repositoryOf(db, Sms, {
      unique: [{ fields: ['smsCode'] }],
      beforeRemove(rows) {
        if (rows.some(({ status }) => status === smsStatus.enabled)) throw new Refusal(smsProblems.stillEnabled);
      },
    });
  }

  async enable(id: string): Promise<void> {
    await this.switch(id, smsStatus.enabled);
  }

  async disable(id: string): Promise<void> {
    await this.switch(id, smsStatus.off);
  }

  /** The one of a code, or the one that is enabled. */
  async opened(code?: string | null): Promise<Opened> {
    const row = await this.rows.find(code ? { smsCode: code } : { status: smsStatus.enabled });
    if (!row) throw new Refusal(code ? smsProblems.unknownCode : smsProblems.noneEnabled);
    const accessKey = (await this.rows.reveal(row.id, 'accessKey')) ?? '';
    return { ...row, accessKey, secretKey: (await this.rows.reveal(row.id, 'secretKey')) ?? '' };
  }

  async isEnabled(): Promise<boolean> {
    return (await this.rows.find({ status: smsStatus.enabled })) !== undefined;
  }

  /** Off before on: never are two enabled, not even within a statement. */
  private async switch(id: string, status: number): Promise<void> {
    await this.db.lock('enabled text messages');
    await this.rows.detail(id);
    const { off, enabled } = smsStatus;
    if (status === enabled) await this.db.sql.execute(sql`update sms set status = ${off} where status = ${enabled} and id <> ${id}::bigint and is_deleted = 0`);
    await this.db.sql.execute(sql`update sms set status = ${status} where id = ${id}::bigint`);
  }
}
