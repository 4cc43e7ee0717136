import { Button, Progress } from '@arco-design/web-react';
import { Dialogs, OneTimePasswords, type Translate, useMutation, useService, useStore, useTranslation } from '#kernel';
import type { TransferRow } from '#shared/transfer-schemas';
import { transferMessages } from './messages.ts';
import { isUnfinished, type TransferCentre } from './transfer-centre.ts';
import styles from './transfers.module.css';

/** Lists the user's exports and imports of the last day, the newest first. */
export default function CentreList({ centre }: { readonly centre: TransferCentre }) {
  const t = useTranslation();
  const rows = useStore(centre, (state) => state.rows);
  const isLoaded = useStore(centre, (state) => state.isLoaded);
  const hasFailed = useStore(centre, (state) => state.hasFailed);
  const passwords = useStore(centre, (state) => state.passwords);
  return (
    <>
      {rows.length === 0 ? (
        <div className={styles.empty}>
          {isLoaded && (
            <div role="status">
              <p>{t(transferMessages.emptyTitle)}</p>
              <p>{t(transferMessages.emptyHint)}</p>
            </div>
          )}
          {hasFailed && !isLoaded && (
            <p role="alert">
              {t(transferMessages.loadFailed)} <Button onClick={() => void centre.refresh()}>{t('errors.retry')}</Button>
            </p>
          )}
        </div>
      ) : (
        <ul className={styles.list}>
          {rows.map((row) => (
            <CentreItem key={row.id} row={row} centre={centre} />
          ))}
        </ul>
      )}
      {passwords.length > 0 && <OneTimePasswords passwords={passwords} onClose={() => centre.dismissPasswords()} />}
    </>
  );
}

interface CentreItemProps {
  readonly row: TransferRow;
  readonly centre: TransferCentre;
}

function CentreItem({ row, centre }: CentreItemProps) {
  const dialogs = useService(Dialogs);
  const t = useTranslation();
  const { id, kind, title, state, message, fileName, hasProblems, hasPasswords, createTime } = row;
  const name = `${t(kind === 'export' ? transferMessages.kindExport : transferMessages.kindImport)} · ${title}`;
  const { isPending, mutate } = useMutation((action: () => Promise<void>) => action());
  const remove = async () => {
    const title = t(transferMessages.remove);
    const question = { title, content: t(transferMessages.removePasswords), confirm: title, cancel: t(transferMessages.cancel), danger: true };
    if (!hasPasswords || (await dialogs.confirm(question))) await centre.remove(id);
  };
  const button = (label: string, onClick: () => Promise<void>) => (
    <Button type="text" size="small" aria-label={`${label}: ${name}`} disabled={isPending} onClick={() => void mutate(onClick)}>
      {label}
    </Button>
  );
  return (
    <li className={styles.item}>
      <div className={styles.head}>
        <span className={styles.title}>{name}</span>
        <span className={styles.state} data-state={state}>
          {row.place === null ? t(transferMessages.states[state]) : t(transferMessages.queuedAt, { place: row.place })}
        </span>
      </div>
      <p className={styles.facts}>{message ? createTime : `${createTime} · ${countText(row, t)}`}</p>
      {isUnfinished(row) && row.total !== null && row.total > 0 && (
        <Progress percent={Math.min(100, Math.floor((row.progress / row.total) * 100))} size="small" aria-label={name} />
      )}
      {message && <p className={styles.failure}>{message}</p>}
      <div className={styles.actions}>
        {state === 'done' && fileName && button(t(transferMessages.download), () => centre.download(id))}
        {hasPasswords && !isUnfinished(row) && button(t('passwords.show'), async () => centre.showPasswords(await centre.takePasswords(id)))}
        {hasProblems && button(t(transferMessages.problems), () => centre.download(id, 'problems'))}
        {isUnfinished(row) && button(t(transferMessages.cancel), () => centre.cancel(id))}
        {(state === 'failed' || state === 'cancelled') && button(t(transferMessages.retry), () => centre.retry(id))}
        {!isUnfinished(row) && button(t(transferMessages.remove), remove)}
      </div>
    </li>
  );
}

function countText({ kind, state, progress, total, good, bad }: TransferRow, t: Translate): string {
  if (state === 'queued' || state === 'running')
    return total === null ? t(transferMessages.rows, { count: progress }) : t(transferMessages.progress, { progress, total });
  if (kind === 'export') return t(transferMessages.rows, { count: progress });
  return bad > 0 ? t(transferMessages.resultSome, { good, bad }) : t(transferMessages.resultDone, { good });
}
