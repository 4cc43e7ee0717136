import { useTranslation } from '#kernel';
import type { PersonReport } from '../contract.ts';
import { privacyMessages } from './messages.ts';
import styles from './privacy.module.css';

interface PersonRecordsProps {
  readonly report: PersonReport;
  /** True if the report says what has been erased, and not what would be. */
  readonly isDone: boolean;
}

/** Lists what is erased and what stays, with the reason. */
export function PersonRecords({ report: { records, files }, isDone }: PersonRecordsProps) {
  const t = useTranslation();
  const hasFiles = files.erased + files.kept > 0;
  if (records.length === 0 && !hasFiles) return <p className={styles.hint}>{t(privacyMessages.nothing)}</p>;
  return (
    <div className={styles.scroll}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t(privacyMessages.data)}</th>
            <th scope="col">{t(isDone ? privacyMessages.erasedRows : privacyMessages.toErase)}</th>
            <th scope="col">{t(privacyMessages.kept)}</th>
            <th scope="col">{t(privacyMessages.reason)}</th>
            <th scope="col">{t(privacyMessages.until)}</th>
          </tr>
        </thead>
        <tbody>
          {records.map(({ plugin, title, erased, isDeleted, kept, reason, until }) => (
            <tr key={`${plugin} ${title[1]}`}>
              <th scope="row">{t(title)}</th>
              <td>{erased > 0 && !isDeleted ? t(privacyMessages.cleared, { count: erased }) : erased}</td>
              <td>{kept}</td>
              <td>{kept > 0 && reason && t(reason)}</td>
              <td>{kept > 0 && until && t(until)}</td>
            </tr>
          ))}
          {hasFiles && (
            <tr>
              <th scope="row">{t(privacyMessages.files)}</th>
              <td>{files.erased}</td>
              <td>{files.kept}</td>
              <td>{files.kept > 0 && t(privacyMessages.filesReason)}</td>
              <td />
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}
