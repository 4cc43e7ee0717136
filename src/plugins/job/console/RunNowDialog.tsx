import { Button, Input } from '@arco-design/web-react';
import { type SubmitEvent, useId, useState } from 'react';
import { Http, Toasts, useService, useTranslation } from '#kernel';
import { type JobInfoRow, jobInfo } from '../contract.ts';
import styles from './job.module.css';
import { words } from './messages.ts';

/** Dialog that runs a job now, with parameters for this run only. */
export function RunNowDialog({ job, onDone }: { readonly job: JobInfoRow; readonly onDone: () => void }) {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const id = useId();
  const [params, setParams] = useState('');
  const [isSending, setIsSending] = useState(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    setIsSending(true);
    const answer = await http.send(jobInfo.run, { id: job.id, instanceParams: params.trim() || null }).finally(() => setIsSending(false));
    if (!answer.success) return;
    toasts.success(t(words.begun));
    onDone();
  };
  return (
    <form className={styles.once} onSubmit={(event) => void submit(event)}>
      <label htmlFor={id}>{t(words.instanceParams)}</label>
      <Input.TextArea id={id} aria-describedby={`${id}-help`} rows={6} maxLength={20_000} value={params} onChange={setParams} autoFocus />
      <p id={`${id}-help`} className={styles.help}>
        {t(words.instanceParamsHelp)}
      </p>
      <Button type="primary" htmlType="submit" loading={isSending}>
        {t(words.runNow)}
      </Button>
    </form>
  );
}
