import { sql } from 'drizzle-orm';
import { accountKinds, type PayeeAccount, PayeeAccounts } from '#plugins/payment/contract';
import { type DeclaredFilter, filterHandler, idArray, PluginSwitches, queryRows, type ServerContext } from '#server';
import { payeeStates } from '../contract.ts';

/** Tells payments the Alipay and bank accounts of verified payees. */
export const payeeAccounts = ({ db, get }: Pick<ServerContext, 'db' | 'get'>): DeclaredFilter =>
  filterHandler(PayeeAccounts, async ({ userIds, accounts }) => {
    if (get(PluginSwitches).isOff('payee', db.tenantId ?? '')) return undefined;
    const found = await queryRows<{ userId: string; name: string; alipay: string | null; bank: string | null; card: string | null }>(
      db,
      sql`select user_id::text as "userId", name, alipay_account as alipay, bank_name as bank, bank_card as card from payee
          where user_id = any(${idArray(userIds)}) and state = ${payeeStates.verified} and is_deleted = 0 order by user_id`,
    );
    const added = found.flatMap(({ userId, name, alipay, bank, card }): PayeeAccount[] => [
      ...(alipay ? [{ userId, name, kind: accountKinds.alipay, account: db.encryption.decrypt(alipay) }] : []),
      ...(card ? [{ userId, name, kind: accountKinds.bank, account: db.encryption.decrypt(card), ...(bank ? { bank } : {}) }] : []),
    ]);
    return { userIds, accounts: [...accounts, ...added] };
  });
