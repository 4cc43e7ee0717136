import { CrudPage } from '#kernel';
import { isProviderOff } from '#plugins/payment/contract';
import { useProviderActions } from '#plugins/payment/extension';
import { type BankAccountRow, bankAccount } from '../contract.ts';
import { bankAccountMenu } from '../menus.ts';
import { bankFileMessages } from './messages.ts';

/** Lists the bank accounts from which a tenant pays by files. */
export default function BankAccountPage() {
  const actions = useProviderActions<BankAccountRow>({ ...bankAccount, code: 'bank_account_enable', isOff: isProviderOff });
  return (
    <CrudPage
      crud={bankAccount}
      title={bankAccountMenu.title}
      noun={bankFileMessages.account}
      presentation="drawer"
      actions={{ row: actions, remove: isProviderOff }}
    />
  );
}
