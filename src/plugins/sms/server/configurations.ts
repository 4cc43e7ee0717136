import { sql } from 'drizzle-orm';
import { ApiError, type FigureSource, type Repository, repositoryOf, type ServerContext, setupStep } from '#server';
import { Sms, type SmsRow, SmsTemplate, smsProblems, smsStatus } from '../contract.ts';
import { smsMenu } from '../menus.ts';

/** Configuration with decrypted keys; never return or log it. */
export type DecryptedSmsConfiguration = SmsRow & { readonly accessKey: string; readonly secretKey: string };

/** Repository of configurations; at most one per tenant is enabled. */
export class Configurations {
  readonly rows: Repository<typeof Sms>;
  /** Repository of further templates. */
  readonly templates: Repository<typeof SmsTemplate>;

  constructor(private readonly db: ServerContext['db']) {
    this.rows = repositoryOf(db, Sms, {
      unique: [{ fields: ['smsCode'] }],
      beforeSave: async ({ smsCode }) => {
        if (smsCode && (await this.templates.find({ templateCode: smsCode }))) throw new ApiError(smsProblems.codeTaken, {}, { field: 'smsCode' });
      },
      beforeRemove: async (rows) => {
        if (rows.some(({ status }) => status === smsStatus.enabled)) throw new ApiError(smsProblems.stillEnabled);
      },
    });
    this.templates = repositoryOf(db, SmsTemplate, {
      unique: [{ fields: ['templateCode'] }],
      beforeSave: async ({ templateCode, smsId }) => {
        if (smsId) await this.rows.detail(smsId);
        if (templateCode && (await this.rows.find({ smsCode: templateCode }))) throw new ApiError(smsProblems.codeTaken, {}, { field: 'templateCode' });
      },
    });
  }

  /** Returns the configuration with a code, or that of the template with this code; without a code the enabled one. */
  async decrypted(code?: string | null): Promise<DecryptedSmsConfiguration> {
    const row = (await this.rows.find(code ? { smsCode: code } : { status: smsStatus.enabled })) ?? (code ? await this.ofTemplate(code) : undefined);
    if (!row) throw new ApiError(code ? smsProblems.unknownCode : smsProblems.noneEnabled);
    const accessKey = (await this.rows.decrypt(row.id, 'accessKey')) ?? '';
    return { ...row, accessKey, secretKey: (await this.rows.decrypt(row.id, 'secretKey')) ?? '' };
  }

  /** Returns all templates with their placeholders. */
  async listTemplates(): Promise<{ code: string; params: readonly string[] }[]> {
    const own = (await this.rows.list()).map(({ smsCode, templateParams }) => ({ code: smsCode, params: templateParams ?? ['code'] }));
    const more = (await this.templates.list()).map(({ templateCode, templateParams }) => ({ code: templateCode, params: templateParams ?? [] }));
    return [...own, ...more];
  }

  async isEnabled(): Promise<boolean> {
    return (await this.rows.find({ status: smsStatus.enabled })) !== undefined;
  }

  private async ofTemplate(templateCode: string): Promise<SmsRow | undefined> {
    const template = await this.templates.find({ templateCode });
    if (!template) return undefined;
    const row = await this.rows.detail(template.smsId);
    const { templateId, templateParams, signName } = template;
    return { ...row, smsCode: templateCode, templateId, templateParams: templateParams ?? [], signName: signName || row.signName };
  }

  /** Enables or disables a configuration; at most one is enabled. */
  async setStatus(id: string, status: (typeof smsStatus)[keyof typeof smsStatus]): Promise<void> {
    await this.db.lock('enabled text messages');
    await this.rows.detail(id);
    await this.rows.setSingleStatus(id, status, smsStatus);
  }
}

/** Step of the setup checklist that is done once a configuration is enabled. */
export const enablingStep = ({ db }: Pick<ServerContext, 'db'>): FigureSource =>
  setupStep(db, {
    id: 'sms',
    code: 'sms_enable',
    sort: 40,
    entities: [Sms.name],
    title: ['启用短信渠道', 'Enable a text message provider'],
    note: ['用于发送短信登录验证码。', 'Used to send sign-in codes by text message.'],
    leadsTo: { menu: smsMenu.code },
    isDone: () => sql`exists (select from sms where status = 2 and is_deleted = 0)`,
  });
