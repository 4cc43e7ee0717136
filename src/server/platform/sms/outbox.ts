import { sql } from 'drizzle-orm';
import { type LocalizedText, localize } from '#shared/text';
import type { Database } from '../../data/database/database.ts';
import { SmsChannel, type SmsMessage, type SmsNotice, type SmsTemplate } from './sms.ts';

const codeMessage: LocalizedText = ['验证码 {code}，{minutes} 分钟内有效。', 'Your code is {code}. It is valid for {minutes} minutes.'];

/** Stores messages for the administrators of their tenant instead of sending them, for development and trials. */
export class SmsOutbox extends SmsChannel {
  constructor(private readonly db: Database) {
    super();
  }

  async serves(): Promise<boolean> {
    return true;
  }

  async send({ tenantId, phone, code, minutes }: SmsMessage): Promise<void> {
    await this.enqueue(tenantId, [phone], (['zh', 'en'] as const).map((language) => localize(codeMessage, language, { code, minutes })).join(' / '));
  }

  async templates(): Promise<readonly SmsTemplate[]> {
    return [{ code: 'outbox', params: [] }];
  }

  async notify({ tenantId, phones, params }: SmsNotice): Promise<void> {
    await this.enqueue(tenantId, phones, Object.values(params).join(' / '));
  }

  private async enqueue(tenantId: string, phones: readonly string[], content: string): Promise<void> {
    await this.db.write({ tenantId }, async () => {
      for (const phone of phones) await this.db.sql.execute(sql`insert into sms_outbox (phone, content) values (${phone}, ${content})`);
    });
  }
}
