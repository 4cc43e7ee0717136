import { sql } from 'drizzle-orm';
import { type Database, encryptPlainTexts, type PlainTexts } from '#server';
import { accountMask } from '../contract.ts';
import type { PayeeRoute } from './payee-routes.ts';

const accounts: PlainTexts = {
  find: (limit) =>
    sql`select id::text as id, account as text from payout where account <> '' and account not like 'sealed:%' order by id limit ${limit} for update skip locked`,
  store: (rows) =>
    sql`update payout p set account = e.text, account_mask = e.mask from jsonb_to_recordset(${rows}::jsonb) as e (id bigint, text text, mask text) where p.id = e.id`,
  maskOf: accountMask,
};

/** Returns the columns of the account that a payout is sent to, with its number encrypted and masked. */
export function sealedColumns({ encryption }: Pick<Database, 'encryption'>, { columns }: PayeeRoute): PayeeRoute['columns'] & { readonly mask?: string } {
  const { account } = columns;
  return account === undefined ? columns : { ...columns, account: encryption.encrypt(account), mask: accountMask(account) };
}

/** Encrypts the accounts that payouts of an earlier release have in the clear. */
export async function sealAccounts(db: Database, signal?: AbortSignal): Promise<void> {
  let hasMore = true;
  while (hasMore && !signal?.aborted) hasMore = await db.asPlatform('encrypts accounts of payouts of all tenants', () => encryptPlainTexts(db, accounts));
}
