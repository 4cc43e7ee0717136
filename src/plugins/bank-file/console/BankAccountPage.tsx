import { CrudPage, Http, Toasts, useService, useTranslation } from '#kernel';
import { type BankAccountRow, bankAccount, bankAccountStatus } from '../contract.ts';
import { bankAccountMenu } from '../menus.ts';
import { bankFileMessages } from './messages.ts';

const titles = { enable: bankFileMessages.enable, disable: bankFileMessages.disable } as const;
const isOff = ({ status }: BankAccountRow) => status === bankAccountStatus.off;

/** Lists the bank accounts from which a tenant pays by files. */
export default function BankAccountPage() {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const action = (verb: keyof typeof titles) => ({
    title: titles[verb],
    code: 'bank_account_enable',
    when: (row: BankAccountRow) => isOff(row) === (verb === 'enable'),
    onClick: async ({ id }: BankAccountRow, screen: { reload(): void }) => {
      if (!(await http.send(bankAccount[verb], { id })).success) return;
      toasts.success(t(verb === 'enable' ? bankFileMessages.enabled : bankFileMessages.disabled));
      screen.reload();
    },
  });
  return (
    <CrudPage
      crud={bankAccount}
      title={bankAccountMenu.title}
      noun={bankFileMessages.account}
      presentation="drawer"
      actions={{ row: [action('enable'), action('disable')], remove: isOff }}
    />
  );
}
