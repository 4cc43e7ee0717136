import { ApiError, type Repository, repositoryOf, type ServerContext } from '#server';
import type { InputOf } from '#shared/contract';
import { problems } from '#shared/errors';
import { isEmpty, type Language, type LocalizedText, localize } from '#shared/text';
import { defaultHours, MiniappSetting, type MiniappSettingRow, miniappProblems, type miniappSetting } from '../contract.ts';

const defaultName: LocalizedText = ['小程序', 'Mini-app'];
const defaultSettings: Omit<MiniappSettingRow, 'app_name' | keyof typeof defaultHours> = {
  id: '0',
  logo: null,
  notice: null,
  service_phone: null,
  service_wechat: null,
  claim_limit: 0,
  min_withdraw: 100,
  withdraw_rate: 0,
  daily_withdraw_limit: 1,
  auto_pay: 0,
  agreement: null,
  privacy: null,
  about: null,
  updated_at: null,
  createUser: null,
  createDept: null,
  createTime: '2026-01-01 00:00:00',
  updateUser: null,
  updateTime: null,
  status: 1,
  isDeleted: 0,
  version: '',
};

/** Reads and writes the mini-app settings, one row per tenant. */
export class MiniappSettings {
  private readonly rows: Repository<typeof MiniappSetting>;

  constructor(private readonly context: Pick<ServerContext, 'db' | 'parameters'>) {
    this.rows = repositoryOf(context.db, MiniappSetting);
  }

  async read(language: Language): Promise<MiniappSettingRow> {
    const saved = await this.rows.find({});
    if (saved) return saved;
    const { parameters } = this.context;
    return {
      ...defaultSettings,
      app_name: localize(defaultName, language),
      submit_hours: await parameters.integer(defaultHours.submit_hours),
      audit_hours: await parameters.integer(defaultHours.audit_hours),
    };
  }

  async save({ id: _, updated_at: loadedAt, ...form }: InputOf<typeof miniappSetting.submit>): Promise<MiniappSettingRow> {
    await this.context.db.lock('mini-app settings');
    const before = await this.rows.find({});
    if (loadedAt && before && loadedAt !== before.updated_at) throw new ApiError(miniappProblems.changedMeanwhile);
    if (!before && isEmpty(form.app_name)) throw new ApiError(problems.missingParameter, { name: 'app_name' }, { field: 'app_name' });
    // A form of the defaults has an empty version, which is earlier than that of any saved row.
    return this.rows.save(before ? { ...form, id: before.id, ...(form.version === '' ? { version: '0' } : {}) } : form);
  }
}
