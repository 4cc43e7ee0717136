import { CrudPage } from '#kernel';
import { reportedPayee } from '../contract.ts';
import { platformReportRowMenu } from '../menus.ts';
import { payeeMessages } from './messages.ts';

/** Lists the payees of reports; each leads to its record, where an exception is corrected. */
export default function ReportRowPage() {
  return (
    <CrudPage
      crud={reportedPayee}
      title={platformReportRowMenu.title}
      empty={{ title: payeeMessages.noReportRows, hint: payeeMessages.noReportRowsHint }}
      columns={{ createTime: { hidden: true } }}
    />
  );
}
