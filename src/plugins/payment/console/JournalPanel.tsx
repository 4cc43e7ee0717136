import dayjs from 'dayjs';
import { CrudPage, SidePanel, useTranslation } from '#kernel';
import { accountNameOf, journal } from '../contract.ts';
import { closingMessages } from './closing-messages.ts';

interface JournalPanelProps {
  readonly from: string;
  /** Last day. */
  readonly until: string;
  readonly onClose: () => void;
}

const fields = ['entryId', 'createTime', 'accountCode', 'accountName', 'debit', 'credit', 'advertiserName', 'payNo', 'remark', 'kind', 'advertiserId'] as const;

/** Shows the postings of a period as journal entries, and exports them for accounting. */
export default function JournalPanel({ from, until, onClose }: JournalPanelProps) {
  const t = useTranslation();
  const next = dayjs(until).add(1, 'day').format('YYYY-MM-DD');
  return (
    <SidePanel open width={1240} title={t(closingMessages.journalOf, { from, until })} onClose={onClose}>
      <CrudPage
        crud={journal}
        title={closingMessages.journal}
        empty={{ title: closingMessages.noPostings, hint: closingMessages.noPostingsHint }}
        fields={fields}
        filter={{ createTime_datege: `${from} 00:00:00`, createTime_datelt: `${next} 00:00:00` }}
        columns={{ advertiserId: { hidden: true }, accountName: { render: ({ accountName }) => t(accountNameOf(accountName)) } }}
      />
    </SidePanel>
  );
}
