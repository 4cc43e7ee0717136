import { encryptPlainTexts, type ServerContext } from '#server';
import { accountMask } from '../contract.ts';
import type { PayeeRoute } from './payee-routes.ts';

type Db = ServerContext['db'];
const accounts = { table: 'payout', column: 'account', maskColumn: 'account_mask', maskOf: accountMask };

/** Returns the columns of the account that a payout is sent to, with its number encrypted and masked. */
export function sealedColumns({ encryption }: Pick<Db, 'encryption'>, { columns }: PayeeRoute): PayeeRoute['columns'] & { readonly mask?: string } {
  const { account } = columns;
  return account === undefined ? columns : { ...columns, account: encryption.encrypt(account), mask: accountMask(account) };
}

/** Encrypts the accounts that payouts of an earlier release have in the clear. */
export async function sealAccounts(db: Db, signal?: AbortSignal): Promise<void> {
  let hasMore = true;
  while (hasMore && !signal?.aborted) hasMore = await db.asPlatform('encrypts accounts of payouts of all tenants', () => encryptPlainTexts(db, accounts));
}
