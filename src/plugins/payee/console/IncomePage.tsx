import { CrudPage } from '#kernel';
import { payeeIncome } from '../contract.ts';
import { payeeIncomeMenu } from '../menus.ts';
import { payeeMessages } from './messages.ts';

/** Lists the paid income of payees by month, quarter and year. */
export default function IncomePage() {
  return <CrudPage crud={payeeIncome} title={payeeIncomeMenu.title} empty={{ title: payeeMessages.noIncome, hint: payeeMessages.noIncomeHint }} />;
}
