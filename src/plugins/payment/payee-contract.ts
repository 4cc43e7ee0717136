import { filter } from '#shared/contract';

/** Kinds of accounts that money is transferred to. */
export const accountKinds = { wechat: 1, alipay: 2, bank: 3 } as const;
export type AccountKind = (typeof accountKinds)[keyof typeof accountKinds];

/** Masks an account for lists. Only its last characters stay, at most four and never more than half of it. */
export function accountMask(account: string): string {
  const characters = [...account];
  const shown = Math.min(4, Math.floor(characters.length / 2));
  return `****${characters.slice(characters.length - shown).join('')}`;
}

/** Account of a payee; `name` is the verified name of its holder, `bank` the name of the bank. */
export interface PayeeAccount {
  readonly userId: string;
  readonly kind: AccountKind;
  readonly account: string;
  readonly name: string;
  readonly bank?: string;
}

/** Collects the accounts of payees: plugins add the accounts that they store for these users. */
export const PayeeAccounts = filter<{ readonly userIds: readonly string[]; readonly accounts: readonly PayeeAccount[] }>('payment:payee-accounts');
