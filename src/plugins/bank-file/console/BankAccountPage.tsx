import { CrudPage } from '#kernel';
import { isProviderOff, useProviderActions } from '#plugins/payment/extension';
import { bankAccount } from '../contract.ts';
import { bankAccountMenu } from '../menus.ts';
import { bankFileMessages } from './messages.ts';

/** Lists the bank accounts from which a tenant pays by files. */
export default function BankAccountPage() {
  return (
    <CrudPage
      crud={bankAccount}
      title={bankAccountMenu.title}
      noun={bankFileMessages.account}
      presentation="drawer"
      actions={{ row: useProviderActions(bankAccount, 'bank_account_enable'), remove: isProviderOff }}
    />
  );
}
