import { useNavigate } from 'react-router-dom';
import {
  CrudPage,
  type CrudScreen,
  Http,
  moneyText,
  type PendingRowAction,
  saveFile,
  Tag,
  Toasts,
  useCan,
  useService,
  useToday,
  useTranslation,
} from '#kernel';
import { listAddress } from '#shared/list-address';
import { type PlatformReportRow, platformReport, reportedPayee, reportStates } from '../contract.ts';
import { platformReportMenu, platformReportRowMenu } from '../menus.ts';
import { payeeMessages } from './messages.ts';

const { compile, submitted, receipt, file, ...crud } = platformReport;
const compilation: PendingRowAction = {
  title: payeeMessages.compile,
  confirm: payeeMessages.compile,
  done: payeeMessages.compiled,
  call: compile,
  fields: ['quarter'],
};
const submission: PendingRowAction = {
  title: payeeMessages.submitReport,
  confirm: payeeMessages.submitReport,
  done: payeeMessages.submitted,
  call: submitted,
  fields: ['receiptNo'],
};
const receiptOf = (title: PendingRowAction['title']): PendingRowAction => ({
  title,
  confirm: payeeMessages.save,
  done: payeeMessages.recordedReceipt,
  call: receipt,
  fields: ['receiptNo'],
});

/** Returns the last quarter that is over on a day, `yyyy-MM-dd`: `2026-Q3`. */
function lastQuarter(today: string): string {
  const [year = 0, month = 0] = today.split('-').map(Number);
  const quarter = Math.floor((month - 1) / 3);
  return quarter === 0 ? `${year - 1}-Q4` : `${year}-Q${quarter}`;
}

const isDraft = ({ state }: PlatformReportRow) => state === reportStates.draft;

/** Lists the quarterly reports. Top task: compile one, look at its exceptions, download its file and mark it as submitted. */
export default function ReportPage() {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const navigate = useNavigate();
  const today = useToday();
  const canList = useCan(reportedPayee.menu);
  const openRows = (id: string, field: 'problem' | 'change') => {
    const conditions = [
      { field: 'reportId', operator: 'equal', value: id },
      { field, operator: 'notequal', value: 0 },
    ];
    void navigate(listAddress(`${platformReportRowMenu.path}/index`, { conditions }));
  };
  const compileAgain = async ({ quarter }: PlatformReportRow, { reload }: CrudScreen<PlatformReportRow>) => {
    if (!(await http.send(compile, { quarter })).success) return;
    toasts.success(t(payeeMessages.compiled));
    reload();
  };
  const download = async ({ id, quarter, versionNo }: PlatformReportRow, { reload }: CrudScreen<PlatformReportRow>) => {
    toasts.info(t(payeeMessages.preparing));
    const parts: string[] = [];
    for (let after: string | null | undefined; after !== null; ) {
      const answer = await http.send(file, { id, ...(after === undefined ? {} : { after }) });
      if (!answer.success) return;
      parts.push(answer.data.text);
      after = answer.data.next;
    }
    saveFile(t(payeeMessages.fileName, { quarter, version: versionNo }), new Blob(parts, { type: 'text/csv;charset=utf-8' }));
    reload();
  };
  return (
    <CrudPage
      crud={crud}
      title={platformReportMenu.title}
      empty={{ title: payeeMessages.noReports, hint: payeeMessages.noReportsHint }}
      columns={{
        difference: { render: ({ difference }) => (difference === 0 ? undefined : <Tag tone="danger">{moneyText(difference)}</Tag>) },
        exceptions: { render: ({ exceptions }) => (exceptions > 0 ? <Tag tone="warning">{exceptions}</Tag> : undefined) },
        checksum: { hidden: true },
        downloads: { hidden: true },
        ledgerGross: { hidden: true },
        receiptRecorder: { hidden: true },
        receiptTime: { hidden: true },
      }}
      actions={{
        toolbar: [
          {
            title: payeeMessages.compile,
            code: 'platform_report_add',
            onClick: (_, { openRowAction }) => openRowAction({ quarter: lastQuarter(today) }, compilation),
          },
        ],
        row: [
          {
            title: payeeMessages.exceptions,
            when: ({ exceptions }) => canList && exceptions > 0,
            isPrimary: true,
            onClick: ({ id }) => openRows(id, 'problem'),
          },
          {
            title: payeeMessages.differences,
            when: ({ changes }) => canList && changes > 0,
            onClick: ({ id }) => openRows(id, 'change'),
          },
          { title: payeeMessages.recompile, code: 'platform_report_add', when: isDraft, onClick: (row, screen) => compileAgain(row, screen) },
          { title: payeeMessages.download, code: 'platform_report_file', onClick: (row, screen) => download(row, screen) },
          {
            title: payeeMessages.submitReport,
            code: 'platform_report_submit',
            when: isDraft,
            onClick: (row, { openRowAction }) => openRowAction(row, submission),
          },
          {
            title: receipt.title,
            code: 'platform_report_submit',
            when: (row) => !isDraft(row) && !row.receiptNo,
            onClick: (row, { openRowAction }) => openRowAction(row, receiptOf(receipt.title)),
          },
          {
            title: payeeMessages.correctReceipt,
            code: 'platform_report_submit',
            isSecondary: true,
            when: (row) => !isDraft(row) && Boolean(row.receiptNo),
            onClick: (row, { openRowAction }) => openRowAction(row, receiptOf(payeeMessages.correctReceipt)),
          },
        ],
      }}
    />
  );
}
