import { type Repository, repositoryOf, type ServerContext, withFullAccess } from '#server';
import type { InputOf } from '#shared/contract';
import { defaultLimits, PaymentLimits, type PaymentLimitsRow, type paymentLimits } from '../limit-contract.ts';

const unsaved: PaymentLimitsRow = {
  id: '0',
  ...defaultLimits,
  createUser: null,
  createDept: null,
  createTime: '2026-01-01 00:00:00',
  updateUser: null,
  updateTime: null,
  status: 1,
  isDeleted: 0,
  version: '',
};

/** Reads and writes the limits of payments and receipts, one row per tenant. Call its functions within the tenant. */
export class LimitSettings {
  readonly rows: Repository<typeof PaymentLimits>;

  constructor(private readonly db: ServerContext['db']) {
    this.rows = repositoryOf(db, PaymentLimits);
  }

  /** Returns the limits that apply, whatever the caller may see of them. */
  current(): Promise<PaymentLimitsRow> {
    return withFullAccess(() => this.read());
  }

  async read(): Promise<PaymentLimitsRow> {
    return (await this.rows.find({})) ?? unsaved;
  }

  async save({ id: _, ...form }: InputOf<typeof paymentLimits.submit>): Promise<PaymentLimitsRow> {
    await this.db.lock('payment limits');
    const before = await this.rows.find({});
    return this.rows.save(before ? { ...form, id: before.id, ...(form.version === '' ? { version: '0' } : {}) } : { ...defaultLimits, ...form });
  }
}
