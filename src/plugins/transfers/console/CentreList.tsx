import { Button, Progress } from '@arco-design/web-react';
import { useState } from 'react';
import { OneTimePasswords, type Translate, useStore, useTranslation } from '#kernel';
import type { OneTimePassword } from '#shared/one-time-passwords';
import type { TransferRow } from '#shared/transfer-schemas';
import { transferMessages } from './messages.ts';
import { isUnfinished, type TransferCentre } from './transfer-centre.ts';
import styles from './transfers.module.css';

/** Lists the user's exports and imports of the last day, the newest first. */
export default function CentreList({ centre }: { readonly centre: TransferCentre }) {
  const t = useTranslation();
  const rows = useStore(centre, (state) => state.rows);
  const isLoaded = useStore(centre, (state) => state.isLoaded);
  const [passwords, setPasswords] = useState<readonly OneTimePassword[]>();
  const showPasswords = async (id: string) => {
    const passwords = await centre.passwords(id);
    if (passwords.length > 0) setPasswords(passwords);
  };
  if (rows.length === 0)
    return (
      <div className={styles.empty} role="status">
        {isLoaded && (
          <>
            <p>{t(transferMessages.emptyTitle)}</p>
            <p>{t(transferMessages.emptyHint)}</p>
          </>
        )}
      </div>
    );
  return (
    <ul className={styles.list}>
      {rows.map((row) => (
        <CentreItem key={row.id} row={row} centre={centre} onPasswords={showPasswords} />
      ))}
      {passwords && <OneTimePasswords passwords={passwords} onClose={() => setPasswords(undefined)} />}
    </ul>
  );
}

interface CentreItemProps {
  readonly row: TransferRow;
  readonly centre: TransferCentre;
  readonly onPasswords: (id: string) => Promise<void>;
}

function CentreItem({ row, centre, onPasswords }: CentreItemProps) {
  const t = useTranslation();
  const { id, kind, title, state, message, fileName, hasProblems, hasPasswords, createTime } = row;
  const name = `${t(kind === 'export' ? transferMessages.kindExport : transferMessages.kindImport)} · ${title}`;
  const button = (label: string, onClick: () => Promise<void>) => (
    <Button type="text" size="small" aria-label={`${label}: ${name}`} onClick={() => void onClick()}>
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
      <p className={styles.facts}>{message ? createTime : `${createTime} · ${factsOf(row, t)}`}</p>
      {isUnfinished(row) && row.total !== null && row.total > 0 && (
        <Progress percent={Math.min(100, Math.floor((row.progress / row.total) * 100))} size="small" aria-label={name} />
      )}
      {message && <p className={styles.failure}>{message}</p>}
      <div className={styles.actions}>
        {state === 'done' && fileName && button(t(transferMessages.download), () => centre.download(id))}
        {hasPasswords && !isUnfinished(row) && button(t('passwords.show'), async () => onPasswords(id))}
        {hasProblems && button(t(transferMessages.problems), () => centre.download(id, 'problems'))}
        {isUnfinished(row) && button(t(transferMessages.cancel), () => centre.cancel(id))}
        {(state === 'failed' || state === 'cancelled') && button(t(transferMessages.retry), () => centre.retry(id))}
        {!isUnfinished(row) && button(t(transferMessages.remove), () => centre.remove(id))}
      </div>
    </li>
  );
}

function factsOf({ kind, state, progress, total, good, bad }: TransferRow, t: Translate): string {
  if (state === 'queued' || state === 'running')
    return total === null ? t(transferMessages.rows, { count: progress }) : t(transferMessages.progress, { progress, total });
  if (kind === 'export') return t(transferMessages.rows, { count: progress });
  return bad > 0 ? t(transferMessages.resultSome, { good, bad }) : t(transferMessages.resultDone, { good });
}
