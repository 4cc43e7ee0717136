import { Button, Progress, Radio } from '@arco-design/web-react';
import { useRef, useState } from 'react';
import { type CrudCalls, NamedSelect, OneTimePasswords, ScreenDialog, useTranslation } from '#kernel';
import type { ImportPreview, RowProblem, TransferRow } from '#shared/transfer-schemas';
import { transferMessages } from './messages.ts';
import { isUnfinished } from './transfer-centre.ts';
import styles from './transfers.module.css';
import { useImport } from './use-import.ts';

interface ImportSheetProps {
  readonly preview: ImportPreview;
  readonly isBusy: boolean;
  readonly container: () => Element;
  readonly onMap: (mapping: ImportPreview['mapping']) => Promise<boolean>;
}

/** Value of the option for a column that is not imported. */
const unmapped = '';

/** Previews the first rows of a sheet under the fields they fill, with errors in their cells. */
function ImportSheet({ preview: { columns, mapping, fields, rows }, isBusy, container, onMap }: ImportSheetProps) {
  const t = useTranslation();
  const fieldOf = (column: number) => mapping.find((one) => one.column === column)?.field ?? unmapped;
  const change = (column: number, field: string) => {
    const others = mapping.filter((one) => one.column !== column && one.field !== field);
    void onMap(field === unmapped ? others : [...others, { column, field }]);
  };
  const options = [{ label: t(transferMessages.unmapped), value: unmapped }, ...fields.map(({ name, title }) => ({ label: title, value: name }))];
  return (
    <div className={styles.scroll}>
      <table className={styles.sheet}>
        <thead>
          <tr>
            <th scope="col">{t(transferMessages.row)}</th>
            {columns.map((title, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns of a sheet are identified by their index, and two may share a title
              <th key={column} scope="col">
                {title}
                <NamedSelect
                  name={t(transferMessages.columnOf, { title })}
                  size="small"
                  value={fieldOf(column)}
                  options={options}
                  disabled={isBusy}
                  getPopupContainer={container}
                  onChange={(field: string) => change(column, field)}
                />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ row, cells, problems }) => (
            <tr key={row}>
              <td>{row}</td>
              {cells.map((cell, column) => {
                const problem = problems.find(({ field }) => field === fieldOf(column));
                return (
                  // biome-ignore lint/suspicious/noArrayIndexKey: like the columns, cells are identified by their index
                  <td key={column} className={problem ? styles.wrong : undefined}>
                    <span className={styles.cell}>{cell}</span>
                    {problem && <p className={styles.failure}>{problem.message}</p>}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface ImportDialogProps {
  readonly crud: CrudCalls;
  readonly container: () => Element;
  readonly onImported: () => void;
  readonly onClose: () => void;
}

/** Uploads a sheet, previews how it will be read, and imports its rows. */
export default function ImportDialog({ crud, container, onImported, onClose }: ImportDialogProps) {
  const t = useTranslation();
  const { preview, result, problems, passwords, isBusy, ...steps } = useImport(crud, onImported);
  const [mode, setMode] = useState<'all' | 'good'>('all');
  const missing = preview ? missingFields(preview) : [];
  const footer = (
    <>
      {(preview || result) && (
        <Button disabled={isBusy} onClick={steps.restart}>
          {t(transferMessages.anotherFile)}
        </Button>
      )}
      <Button onClick={onClose}>{t(transferMessages.close)}</Button>
      {preview && !result && (
        <Button type="primary" loading={isBusy} disabled={missing.length > 0} onClick={() => void steps.run(mode)}>
          {t(transferMessages.run)}
        </Button>
      )}
    </>
  );
  return (
    <ScreenDialog title={t(transferMessages.importTitle)} width={860} container={container} maskClosable={false} footer={footer} onClose={onClose}>
      {!preview && !result && <ChooseFile isBusy={isBusy} onFile={steps.upload} onTemplate={steps.downloadTemplate} />}
      {preview && !result && (
        <>
          <p className={styles.hint}>{t(transferMessages.preview, { count: preview.total, shown: preview.rows.length })}</p>
          <ImportSheet preview={preview} isBusy={isBusy} container={container} onMap={steps.map} />
          {missing.length > 0 && (
            <p className={styles.failure} role="alert">
              {t(transferMessages.missing, { fields: missing.join(', ') })}
            </p>
          )}
          <fieldset className={styles.line}>
            <legend>{t(transferMessages.mode)}</legend>
            <Radio.Group direction="vertical" value={mode} onChange={setMode}>
              <Radio value="all">{t(transferMessages.modeAll)}</Radio>
              <Radio value="good">{t(transferMessages.modeValid)}</Radio>
            </Radio.Group>
          </fieldset>
        </>
      )}
      {result && (
        <ImportResult
          result={result}
          problems={problems}
          fields={preview?.fields ?? []}
          onDownload={steps.downloadProblems}
          onPasswords={steps.showPasswords}
        />
      )}
      {passwords.length > 0 && <OneTimePasswords passwords={passwords} onClose={steps.dismissPasswords} />}
    </ScreenDialog>
  );
}

const missingFields = ({ fields, mapping }: ImportPreview) =>
  fields.filter(({ name, required }) => required && !mapping.some(({ field }) => field === name)).map(({ title }) => title);

interface ChooseFileProps {
  readonly isBusy: boolean;
  readonly onFile: (file: File) => Promise<boolean>;
  readonly onTemplate: () => Promise<boolean>;
}

function ChooseFile({ isBusy, onFile, onTemplate }: ChooseFileProps) {
  const t = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <p className={styles.hint}>{t(transferMessages.fileHint)}</p>
      <div className={styles.choose}>
        <input
          ref={input}
          className="visually-hidden"
          type="file"
          accept=".csv,.xlsx"
          tabIndex={-1}
          aria-label={t(transferMessages.chooseFile)}
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            if (file) void onFile(file);
            // A corrected file of the same name can be selected again.
            target.value = '';
          }}
        />
        <Button type="primary" loading={isBusy} onClick={() => input.current?.click()}>
          {t(transferMessages.chooseFile)}
        </Button>
        <Button type="text" onClick={() => void onTemplate()}>
          {t(transferMessages.template)}
        </Button>
      </div>
    </>
  );
}

interface ImportResultProps {
  readonly result: TransferRow;
  /** First problems of the refused rows. */
  readonly problems: readonly RowProblem[];
  readonly fields: ImportPreview['fields'];
  /** Downloads all refused rows. */
  readonly onDownload: () => Promise<boolean>;
  /** Shows the passwords of the accounts the import has created. */
  readonly onPasswords: () => Promise<boolean>;
}

/** Shows the progress and the result of an import, with the reason for each refused row. */
function ImportResult({ result, problems, fields, onDownload, onPasswords }: ImportResultProps) {
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
      {result.hasProblems && <Button onClick={() => void onDownload()}>{t(transferMessages.problems)}</Button>}
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
