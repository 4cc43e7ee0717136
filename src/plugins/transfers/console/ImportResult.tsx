import { Button, Progress } from '@arco-design/web-react';
import { useTranslation } from '#kernel';
import type { ImportPreview, RowProblem, TransferRow } from '#shared/transfer-schemas';
import { transferMessages } from './messages.ts';
import { isUnfinished } from './transfer-centre.ts';
import styles from './transfers.module.css';

interface ImportResultProps {
  readonly result: TransferRow;
  /** First problems of the refused rows. */
  readonly problems: readonly RowProblem[];
  readonly fields: ImportPreview['fields'];
  /** Downloads all refused rows. */
  readonly onFetch: () => Promise<void>;
  /** Shows the passwords of the accounts the import has created. */
  readonly onPasswords: () => Promise<void>;
}

/** Shows the progress and the result of an import, with the reason for each refused row. */
export function ImportResult({ result, problems, fields, onFetch, onPasswords }: ImportResultProps) {
  const t = useTranslation();
  const { state, message, good, bad, progress, total } = result;
  const done = t(bad > 0 ? transferMessages.resultSome : transferMessages.resultDone, { good, bad });
  return (
    <>
      <div role="status">
        <p className={state === 'failed' ? styles.failure : styles.hint}>{message ?? (state === 'done' ? done : t(transferMessages.resultRunning))}</p>
      </div>
      {isUnfinished(result) && total !== null && total > 0 && <Progress percent={Math.min(100, Math.floor((progress / total) * 100))} />}
      {problems.length > 0 && <Problems problems={problems} fields={fields} bad={bad} />}
      {result.hasPasswords && !isUnfinished(result) && (
        <Button type="primary" onClick={() => void onPasswords()}>
          {t('passwords.show')}
        </Button>
      )}
      {result.hasProblems && <Button onClick={() => void onFetch()}>{t(transferMessages.problems)}</Button>}
    </>
  );
}

function Problems({ problems, fields, bad }: Pick<ImportResultProps, 'problems' | 'fields'> & { readonly bad: number }) {
  const t = useTranslation();
  const rows = new Set(problems.map(({ row }) => row));
  return (
    <div className={styles.problems}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard */}
      <section className={styles.scroll} aria-label={t(transferMessages.mode)} tabIndex={0}>
        <table className={styles.sheet}>
          <thead>
            <tr>
              <th scope="col">{t(transferMessages.row)}</th>
              <th scope="col">{t(transferMessages.problemField)}</th>
              <th scope="col">{t(transferMessages.problemReason)}</th>
            </tr>
          </thead>
          <tbody>
            {problems.map(({ row, field, message }) => (
              <tr key={`${row} ${field}`}>
                <td>{row}</td>
                <td>{fields.find(({ name }) => name === field)?.title ?? field}</td>
                <td className={styles.failure}>{message}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {rows.size < bad && <p className={styles.hint}>{t(transferMessages.problemsFirst, { count: problems.length })}</p>}
    </div>
  );
}
