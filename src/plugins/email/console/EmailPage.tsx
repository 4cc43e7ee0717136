import { Button } from '@arco-design/web-react';
import { basePath, InlineForm, useCan, useQuery, useTranslation } from '#kernel';
import { emailServer } from '../contract.ts';
import { emailMessages } from './messages.ts';
import { TestPanel } from './TestPanel.tsx';

/** Edits the SMTP settings. Top task: check whether e-mail arrives, 1 click (send) beside the saved settings. */
export default function EmailPage() {
  const t = useTranslation();
  const isWritable = useCan('email_edit');
  const { data, error, refetch } = useQuery(emailServer.read, {}, { refetchOnMount: false });
  if (error)
    return (
      <p role="alert">
        {t(emailMessages.failed)} <Button onClick={refetch}>{t(emailMessages.retry)}</Button>
      </p>
    );
  if (!data) return null;
  const row = data.id === '0' ? { ...data, consoleUrl: `${window.location.origin}${basePath}/` } : data;
  return <InlineForm crud={emailServer} row={row} isWritable={isWritable} beside={() => <TestPanel />} />;
}
