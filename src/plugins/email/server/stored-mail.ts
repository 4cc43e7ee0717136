import { sql } from 'drizzle-orm';
import { PasswordEmails } from '#plugins/organization/server-extension';
import { Deployment, idArray, Mail, type MailKind, type MailRequest, queryRows, type ServerContext } from '#server';
import type { OneTimePassword } from '#shared/one-time-passwords';
import type { Language } from '#shared/text';
import { channelsPreference, languagePreference } from '../own-contract.ts';
import { passwordMail } from './kinds.ts';
import { documentOf, htmlOf, textOf } from './rendering.ts';
import type { ActiveSettings, EmailSettings } from './settings.ts';
import type { MailContent } from './smtp.ts';

/** Size above which an attachment is left out of its e-mail. */
const maxAttachmentBytes = 2_000_000;

/** The queue of e-mails in the database. */
export class StoredMail extends Mail {
  constructor(
    private readonly context: Pick<ServerContext, 'basePath' | 'db' | 'get'>,
    private readonly settings: EmailSettings,
  ) {
    super();
  }

  /** Lists the kinds of all running plugins. */
  kinds(): readonly MailKind[] {
    return this.context
      .get(Deployment)
      .plugins()
      .filter(({ skippedReason }) => skippedReason === undefined)
      .flatMap(({ plugin }) => plugin.mailKinds ?? []);
  }

  kind(code: string): MailKind {
    const found = this.kinds().find((one) => one.code === code);
    if (!found) throw new Error(`No plugin declares the kind of e-mail "${code}".`);
    return found;
  }

  override async send(request: MailRequest): Promise<readonly string[]> {
    const { db } = this.context;
    const tenantId = this.tenantOf(request.tenant);
    const kind = this.kind(request.kind);
    if (request.to.length === 0) return [];
    return db.write({ tenantId }, async () => {
      const settings = await this.settings.active();
      return settings ? this.queue(kind, request, settings) : [];
    });
  }

  override async inboxUsers(topic: string, users: readonly string[], tenant: string | undefined): Promise<readonly string[]> {
    const { db } = this.context;
    if (users.length === 0) return users;
    const declined = await db.read({ tenantId: this.tenantOf(tenant) }, () =>
      queryRows<{ id: string }>(
        db,
        sql`select user_id::text as id from user_preference
            where user_id = any(${idArray(users)}) and key = ${channelsPreference.key} and version = ${channelsPreference.version}
              and value -> ${topic}::text ->> 'inbox' = 'false'`,
      ),
    );
    const ids = new Set(declined.map(({ id }) => id));
    return users.filter((user) => !ids.has(user));
  }

  /** Returns the language of a user's e-mails. Call it within the tenant. */
  async languageFor(userId: string): Promise<Language> {
    const [row] = await queryRows<{ language: Language }>(
      this.context.db,
      sql`select coalesce((select value #>> '{}' from user_preference where user_id = ${userId} and key = ${languagePreference.key} and value #>> '{}' in ('zh', 'en')),
            (select language from email_server where is_deleted = 0), 'zh') as language`,
    );
    return row?.language ?? 'zh';
  }

  /** Renders an e-mail, and encrypts its content for the queue. */
  renderEncrypted(
    kind: MailKind,
    request: MailRequest,
    language: Language,
    { consoleUrl }: ActiveSettings,
  ): { readonly subject: string; readonly content: string } {
    const document = documentOf(kind, request, { language, consoleUrl, basePath: this.context.basePath });
    const attachments = (request.attachments ?? []).filter(({ text }) => Buffer.byteLength(text) <= maxAttachmentBytes);
    const content: MailContent = { subject: document.subject, text: textOf(document), html: htmlOf(document, language), attachments };
    return { subject: document.subject, content: this.context.db.encryption.encrypt(JSON.stringify(content)) };
  }

  /** Queues an e-mail for all its recipients with one statement; those of one language get the same content. */
  private async queue(kind: MailKind, request: MailRequest, settings: ActiveSettings): Promise<readonly string[]> {
    const [zh, en] = [this.renderEncrypted(kind, request, 'zh', settings), this.renderEncrypted(kind, request, 'en', settings)];
    const queued = await queryRows<{ id: string }>(
      this.context.db,
      sql`insert into email_message (user_id, recipient, address, kind, subject, content, due_at, once_key)
          select u.id, left(coalesce(nullif(u.real_name, ''), u.account), 64), u.email, ${kind.code},
            case when coalesce(l.value #>> '{}', ${settings.language}::text) = 'en' then ${en.subject}::text else ${zh.subject}::text end,
            case when coalesce(l.value #>> '{}', ${settings.language}::text) = 'en' then ${en.content}::text else ${zh.content}::text end, date_trunc('second', now()), ${request.key ?? null}::text
          from user_account u
          left join user_preference l on l.user_id = u.id and l.key = ${languagePreference.key}
          left join user_preference c on c.user_id = u.id and c.key = ${channelsPreference.key} and c.version = ${channelsPreference.version}
          where u.id = any(${idArray(request.to)}) and u.is_deleted = 0 and u.status = 1 and coalesce(u.email, '') <> ''
            and (${kind.use === 'required'}::boolean or coalesce(c.value -> ${kind.code}::text ->> 'mail', 'true') <> 'false')
          on conflict do nothing returning user_id::text as id`,
    );
    return queued.map(({ id }) => id);
  }

  private tenantOf(tenant: string | undefined): string {
    const tenantId = tenant ?? this.context.db.scope?.tenantId;
    if (tenantId === undefined) throw new Error('An e-mail sent as the platform must name its tenant.');
    return tenantId;
  }
}

/** Sends one-time passwords through the queue; the stored content is encrypted and deleted once it is sent. */
export class QueuedPasswordEmails extends PasswordEmails {
  constructor(
    private readonly db: ServerContext['db'],
    private readonly settings: EmailSettings,
    private readonly mail: StoredMail,
  ) {
    super();
  }

  override isOffered(tenantId: string): Promise<boolean> {
    return this.db.read({ tenantId }, async () => (await this.settings.active()) !== undefined);
  }

  override async send(tenantId: string, passwords: readonly OneTimePassword[]): Promise<readonly string[]> {
    const sent: string[] = [];
    for (const { id, account, realName, password, expiresAt } of passwords) {
      const data = { name: realName || account, account, password, expires: expiresAt };
      sent.push(...(await this.mail.send({ kind: passwordMail.code, to: [id], tenant: tenantId, data, link: '/' })));
    }
    return sent;
  }
}
