import { Button } from '@arco-design/web-react';
import { Dialogs, Http, type ListToolbarProps, Toasts, useCan, useService, useTranslation } from '#kernel';
import type { InputOf } from '#shared/contract';
import { jobInstance } from '../run-contract.ts';
import { replayMessages } from './replay-messages.ts';

const shownJobs = 10;

/** Runs all runs of the current filter again, after a question that says how many and of which jobs. */
export default function ReplayButton({ readList, onChanged }: ListToolbarProps) {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const dialogs = useService(Dialogs);
  const t = useTranslation();
  const mayRetry = useCan('jobinstance_retry');
  if (!mayRetry) return null;
  const replay = async () => {
    const preview = await http.send(jobInstance.replayPreview, readList().query as InputOf<typeof jobInstance.replayPreview>);
    if (!preview.success) return;
    const { ids, jobs, open, disabled, isCut } = preview.data;
    const left = [
      ...(open > 0 ? [t(replayMessages.unfinished, { count: open })] : []),
      ...(disabled > 0 ? [t(replayMessages.disabled, { count: disabled })] : []),
    ];
    if (ids.length === 0) return toasts.warning([t(replayMessages.none), ...left].join(' '));
    const names = jobs.slice(0, shownJobs).map(({ jobName, count }) => t(replayMessages.job, { name: jobName, count }));
    const more = jobs.length > shownJobs ? [t(replayMessages.moreJobs, { count: jobs.length - shownJobs })] : [];
    const content = [
      [...names, ...more].join(t(replayMessages.separator)),
      ...left,
      ...(isCut ? [t(replayMessages.truncated, { count: ids.length })] : []),
    ].join('\n');
    const confirm = { title: t(replayMessages.question, { count: ids.length }), content, confirm: t(replayMessages.replay), cancel: t('crud.cancel') };
    if (!(await dialogs.confirm(confirm))) return;
    const reply = await http.send(jobInstance.replay, { ids });
    if (reply.success) {
      const { started, failed } = reply.data;
      if (started > 0) toasts.success(t(replayMessages.started, { count: started }));
      if (failed[0]) toasts.error(t(replayMessages.failed, { count: failed.length, name: failed[0].jobName, reason: failed[0].reason }));
    }
    onChanged();
  };
  return <Button onClick={() => void replay()}>{t(replayMessages.button)}</Button>;
}
