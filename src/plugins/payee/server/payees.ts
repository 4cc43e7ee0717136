import { sql } from 'drizzle-orm';
import { payout } from '#plugins/payment/contract';
import {
  ApiError,
  assertCurrentVersion,
  type DeclaredReference,
  idArray,
  type Principal,
  queryRows,
  type Reauth,
  type Repository,
  recordChange,
  recordPersonalAccess,
  repositoryOf,
  type ServerContext,
} from '#server';
import { type FormOf, type InputOf, maxCountedRows } from '#shared/contract';
import { rowsOf } from '#shared/figures';
import { maskNumber } from '#shared/personal';
import { documentKinds, numberStates, Payee, type PayeeNumbers, type PayeeRow, type payee, payeePerson, payeeProblems, payeeStates } from '../contract.ts';

const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
const checkCharacters = '10X98765432';

/** Returns true for an ID card number with a date and the check character of GB 11643. */
function isIdCardNumber(text: string): boolean {
  const [, year, month, day] = /^\d{6}(\d{4})(\d\d)(\d\d)\d{3}[\dX]$/.exec(text) ?? [];
  if (year === undefined) return false;
  const born = new Date(`${year}-${month}-${day}T00:00:00Z`);
  if (Number.isNaN(born.getTime()) || born.toISOString().slice(0, 10) !== `${year}-${month}-${day}`) return false;
  const sum = weights.reduce((total, weight, index) => total + weight * Number(text[index]), 0);
  return text[17] === checkCharacters[sum % 11];
}

/** Removes blanks and writes letters in upper case, as documents do. */
const normalizedNumber = (text: string): string => text.replace(/\s/g, '').toUpperCase();

/** Throws for a number that a document of this kind cannot have. */
function assertDocument(kind: number | null | undefined, number: string): void {
  if (kind === documentKinds.idCard && !isIdCardNumber(number)) throw new ApiError(payeeProblems.wrongIdNumber, {}, { field: 'documentNo' });
  if (!/^[A-Z0-9()]{5,30}$/.test(number)) throw new ApiError(payeeProblems.wrongDocument, {}, { field: 'documentNo' });
}

/** Throws for what is no account of Alipay. */
function assertAlipay(account: string): void {
  if (!/^(1\d{10}|[^\s@]+@[^\s@]+\.[^\s@]+)$/.test(account)) throw new ApiError(payeeProblems.wrongAlipay, {}, { field: 'alipayAccount' });
}

/** Throws for what is no card number. */
function assertCard(number: string): void {
  if (!/^\d{8,30}$/.test(number)) throw new ApiError(payeeProblems.wrongCard, {}, { field: 'bankCard' });
}

type PayeeForm = FormOf<typeof Payee>;
/** Encrypted fields and the fields with their masked form. */
const masks = { documentNo: 'documentMask', alipayAccount: 'alipayMask', bankCard: 'bankMask' } as const;
type Sealed = keyof typeof masks;
const sealedFields = Object.keys(masks) as Sealed[];
/** Writes numbers as documents and cards do. */
const normalize: Readonly<Record<Sealed, (text: string) => string>> = {
  documentNo: normalizedNumber,
  alipayAccount: (text) => text.trim(),
  bankCard: (text) => text.replace(/[\s-]/g, ''),
};

/** Payees of a tenant, with encrypted numbers. */
export class Payees {
  readonly rows: Repository<typeof Payee>;
  readonly people: Repository<typeof payeePerson.entity>;

  constructor(
    private readonly db: ServerContext['db'],
    private readonly reauth: Reauth,
  ) {
    this.people = repositoryOf(db, payeePerson.entity);
    this.rows = repositoryOf(db, Payee, {
      unique: [{ fields: ['userId'] }],
      complete: (form, { before }) => this.normalized(form, before),
      beforeSave: async (form, before) => {
        await this.assertValid(form, before);
        if (before) recordNumbers(before, form);
      },
      saved: (after, before) => this.addDerived(after, before),
    });
  }

  async save(form: PayeeForm): Promise<PayeeRow> {
    const { id } = await this.rows.save(form);
    return this.rows.detail(id);
  }

  /** Verifies exactly what the user has looked at, which another user has entered. */
  async verify({ userId }: Principal, { id, version }: InputOf<typeof payee.verify>): Promise<void> {
    if (id === userId) throw new ApiError(payeeProblems.ownIdentity);
    const { name, documentKind, documentMask, state, identityBy } = await this.lock(id, version);
    if (identityBy === userId) throw new ApiError(payeeProblems.ownEntry);
    if (state === payeeStates.verified) throw new ApiError(payeeProblems.notVerifiable);
    if (!name || !documentKind || !documentMask) throw new ApiError(payeeProblems.incomplete);
    await this.review({ id, state }, payeeStates.verified, userId, null);
  }

  async reject({ userId }: Principal, { id, version, reason }: InputOf<typeof payee.reject>): Promise<void> {
    const { state } = await this.lock(id, version);
    if (state === payeeStates.rejected) throw new ApiError(payeeProblems.notRejectable);
    await this.review({ id, state }, payeeStates.rejected, userId, reason);
  }

  /** Opens its own transactions, because a wrong password is counted although the call fails. */
  async reveal(principal: Principal, id: string, password: string): Promise<PayeeNumbers> {
    const scope = { tenantId: principal.tenantId };
    await this.db.read(scope, () => this.rows.detail(id));
    await this.reauth.verify(password, principal);
    return this.db.write(scope, async () => {
      const { revealedTime, revealedBy, reveals } = await this.rows.detail(id);
      const [seen] = await queryRows<{ revealedTime: string; revealedBy: string; reveals: number }>(
        this.db,
        sql`update payee set reveals = reveals + 1, revealed_time = date_trunc('second', now()), revealed_by = (select real_name from user_account where id = ${principal.userId}) where id = ${id}
            returning to_char(revealed_time, 'YYYY-MM-DD HH24:MI:SS') as "revealedTime", revealed_by as "revealedBy", reveals`,
      );
      recordChange({ entity: Payee.name, id, before: { revealedTime, revealedBy, reveals }, after: { ...seen } });
      await recordPersonalAccess(this.db, { action: 'shown', entity: Payee.name, recordId: id, fields: sealedFields });
      const [documentNo, alipayAccount, bankCard] = await Promise.all(sealedFields.map(async (field) => (await this.rows.decrypt(id, field)) ?? null));
      const { version } = await this.rows.detail(id);
      return { version, documentNo: documentNo ?? null, alipayAccount: alipayAccount ?? null, bankCard: bankCard ?? null };
    });
  }

  private async lock(id: string, version: string): Promise<PayeeRow> {
    await this.db.sql.execute(sql`select from payee where id = ${id} for update`);
    const row = await this.rows.detail(id);
    await assertCurrentVersion(this.db, Payee, row, version);
    return row;
  }

  private async review({ id, state }: Pick<PayeeRow, 'id' | 'state'>, decided: number, userId: string, reason: string | null): Promise<void> {
    await this.db.sql.execute(
      sql`update payee set state = ${decided}, reason = ${reason}, review_time = date_trunc('second', now()), update_user = ${userId},
            update_time = date_trunc('second', now()), reviewer_name = (select real_name from user_account where id = ${userId}) where id = ${id}`,
    );
    recordChange({ entity: Payee.name, id, before: { state, reason: null }, after: { state: decided, reason } });
  }

  /** A masked number that comes back from a client, and the stored number itself, change nothing. */
  private async normalized(form: PayeeForm, before: PayeeRow | undefined): Promise<Partial<PayeeForm>> {
    const numbers: Partial<Record<Sealed, string | null | undefined>> = {};
    for (const field of sealedFields) {
      const entered = form[field];
      if (entered === undefined) continue;
      const number = entered === null || entered === '' ? null : normalize[field](entered);
      const stored = before ? ((await this.rows.decrypt(before.id, field)) ?? null) : null;
      numbers[field] = number === stored || number?.includes('*') ? undefined : number;
    }
    return numbers as Partial<PayeeForm>;
  }

  private async assertValid(form: Partial<PayeeForm>, before: PayeeRow | undefined): Promise<void> {
    const { userId, documentNo, alipayAccount, bankCard } = form;
    if (!before && !(await this.people.find({ id: userId ?? '0' }))) throw new ApiError(payeeProblems.noUser, {}, { field: 'userId' });
    const kind = form.documentKind === undefined ? before?.documentKind : form.documentKind;
    const stored = documentNo === undefined && before && kind !== before.documentKind ? await this.rows.decrypt(before.id, 'documentNo') : undefined;
    const number = documentNo ?? stored;
    if (number) assertDocument(kind, number);
    if (alipayAccount) assertAlipay(alipayAccount);
    if (bankCard) assertCard(bankCard);
  }

  /** Writes what forms do not contain: masked numbers, and who recorded a consent. */
  private async addDerived(after: PayeeRow, before: PayeeRow | undefined): Promise<void> {
    const { id, consentTime, consentVersion, updateUser } = after;
    const derived = await Promise.all(sealedFields.map((field) => this.rows.decrypt(id, field)));
    if (!before) recordNumbers(after, Object.fromEntries(sealedFields.map((field, index) => [field, derived[index] ?? null])));
    const [document = null, alipay = null, card = null] = derived.map((text) => (text ? maskNumber(text) : null));
    const isConsentNew = consentTime !== (before?.consentTime ?? null) || consentVersion !== (before?.consentVersion ?? null);
    await this.db.sql.execute(
      sql`update payee set document_mask = ${document}, alipay_mask = ${alipay}, bank_mask = ${card},
            consent_recorder = case when ${!isConsentNew}::boolean then consent_recorder when ${consentTime}::text is null then null
              else (select real_name from user_account where id = ${updateUser}::bigint) end where id = ${id}`,
    );
  }
}

/** Records that numbers were entered, replaced or removed, and nothing of the numbers themselves. */
function recordNumbers(row: PayeeRow, numbers: { readonly [Field in Sealed]?: string | null }): void {
  for (const field of sealedFields) {
    const number = numbers[field];
    const hadNumber = row[masks[field]] !== null;
    if (number === undefined || (number === null && !hadNumber)) continue;
    const change = number === null ? numberStates.removed : hadNumber ? numberStates.replaced : numberStates.entered;
    const name = `${field}Change`;
    recordChange({ entity: Payee.name, id: row.id, before: { [name]: hadNumber ? numberStates.entered : null }, after: { [name]: change } });
  }
}

/** Payouts of payees, which the record of a payee lists. */
export const payoutsOfPayees = ({ db }: Pick<ServerContext, 'db'>): DeclaredReference => ({
  entity: Payee.name,
  title: ['付款单', 'Payouts'],
  async count(ids) {
    const [row] = await queryRows<{ count: number }>(
      db,
      sql`select count(*)::integer as count from (select from payout where user_id = any(${idArray(ids)}) limit ${maxCountedRows}) counted`,
    );
    return row?.count ?? 0;
  },
  rows: (id) => rowsOf(payout, {}, [{ field: 'userId', operator: 'equal', value: id }]),
});
