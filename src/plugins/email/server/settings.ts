import { X509Certificate } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { ApiError, EgressError, type FigureSource, type Repository, repositoryOf, type ServerContext, setupStep } from '#server';
import type { InputOf } from '#shared/contract';
import type { Language } from '#shared/text';
import { EmailServer, type EmailServerRow, emailProblems, type emailServer, securityModes } from '../contract.ts';
import { emailMenu } from '../menus.ts';
import type { SmtpSettings } from './smtp.ts';

const unsaved: EmailServerRow = {
  id: '0',
  isEnabled: true,
  host: '',
  security: securityModes.tls,
  port: 465,
  username: null,
  password: null,
  caCertificate: null,
  senderName: '',
  senderAddress: '',
  replyTo: null,
  consoleUrl: '',
  language: 'zh',
  perMinute: 60,
  createUser: null,
  createDept: null,
  createTime: '2026-01-01 00:00:00',
  updateUser: null,
  updateTime: null,
  status: 1,
  isDeleted: 0,
  version: '',
};

/** Settings with which e-mail is sent; never return or log them. */
export interface ActiveSettings extends SmtpSettings {
  readonly consoleUrl: string;
  readonly language: Language;
  readonly perMinute: number;
}

/** Reads and writes the SMTP settings, one row per tenant. Call its functions within the tenant. */
export class EmailSettings {
  private readonly rows: Repository<typeof EmailServer>;

  constructor(private readonly context: Pick<ServerContext, 'db' | 'egress'>) {
    this.rows = repositoryOf(context.db, EmailServer);
  }

  async read(): Promise<EmailServerRow> {
    return (await this.rows.find({})) ?? unsaved;
  }

  async save({ id: _, ...form }: InputOf<typeof emailServer.submit>): Promise<EmailServerRow> {
    await this.context.db.lock('e-mail settings');
    const before = await this.rows.find({});
    const { host = before?.host ?? '', caCertificate } = form;
    this.assertReachable(host);
    assertCertificate(caCertificate);
    // Otherwise a user who may edit the settings could have the stored password sent to a server of their own.
    const isMoved = before && (['host', 'port', 'username', 'security'] as const).some((name) => form[name] !== undefined && form[name] !== before[name]);
    if (isMoved && before.password && !form.password && (form.username === undefined ? before.username : form.username))
      throw new ApiError(emailProblems.passwordAgain, {}, { field: 'password' });
    return this.rows.save(before ? { ...form, id: before.id, ...(form.version === '' ? { version: '0' } : {}) } : form);
  }

  /** Returns the saved settings with the password; undefined if there are none, or sending is off and not demanded. */
  async active({ evenDisabled = false } = {}): Promise<ActiveSettings | undefined> {
    const row = await this.rows.find({});
    if (!row || !(row.isEnabled || evenDisabled)) return undefined;
    return { ...row, password: row.password ? await this.rows.decrypt(row.id, 'password') : undefined };
  }

  private assertReachable(host: string): void {
    try {
      this.context.egress.check(new URL(`smtp://${host.includes(':') ? `[${host}]` : host}`));
    } catch (error) {
      if (error instanceof EgressError) throw new ApiError(emailProblems.internal, {}, { field: 'host', cause: error });
      throw new ApiError(emailProblems.host, {}, { field: 'host', cause: error });
    }
  }
}

function assertCertificate(pem: string | null | undefined): void {
  if (!pem) return;
  try {
    new X509Certificate(pem);
  } catch (error) {
    throw new ApiError(emailProblems.certificate, {}, { field: 'caCertificate', cause: error });
  }
}

/** Step of the setup checklist that is done once e-mail is set up. */
export const emailSetupFigure = ({ db }: Pick<ServerContext, 'db'>): FigureSource =>
  setupStep(db, {
    id: 'email',
    code: 'email_edit',
    sort: 41,
    entities: [EmailServer.name],
    title: ['配置邮件服务器', 'Set up e-mail'],
    note: ['用于发送通知、告警和密码邮件。', 'Used to send notices, alerts and password e-mails.'],
    leadsTo: { menu: emailMenu.code },
    isDone: () => sql`exists (select from email_server where is_enabled and is_deleted = 0)`,
  });
