import { Button, Radio } from '@arco-design/web-react';
import { useRef, useState } from 'react';
import { type CrudCalls, OneTimePasswords, ScreenDialog, useTranslation } from '#kernel';
import type { ImportPreview } from '#shared/transfer-schemas';
import { ImportResult } from './ImportResult.tsx';
import { ImportSheet } from './ImportSheet.tsx';
import { transferMessages } from './messages.ts';
import styles from './transfers.module.css';
import { useImport } from './use-import.ts';

interface ImportDialogProps {
  readonly crud: CrudCalls;
  readonly container: () => Element;
  readonly onImported: () => void;
  readonly onClose: () => void;
}

/** Uploads a sheet, previews how it will be read, and imports its rows. */
export default function ImportDialog({ crud, container, onImported, onClose }: ImportDialogProps) {
  const t = useTranslation();
  const { preview, result, problems, isBusy, upload, map, run, template, fetchProblems, passwords, fetchPasswords, closePasswords, restart } = useImport(
    crud,
    onImported,
  );
  const [mode, setMode] = useState<'all' | 'good'>('all');
  const missing = preview ? missingFields(preview) : [];
  const footer = (
    <>
      {(preview || result) && <Button onClick={restart}>{t(transferMessages.anotherFile)}</Button>}
      <Button onClick={onClose}>{t(transferMessages.close)}</Button>
      {preview && !result && (
        <Button type="primary" loading={isBusy} disabled={missing.length > 0} onClick={() => void run(mode)}>
          {t(transferMessages.run)}
        </Button>
      )}
    </>
  );
  return (
    <ScreenDialog title={t(transferMessages.importTitle)} width={860} container={container} isKept footer={footer} onClose={onClose}>
      {!preview && !result && <ChooseFile isBusy={isBusy} onFile={upload} onTemplate={template} />}
      {preview && !result && (
        <>
          <p className={styles.hint}>{t(transferMessages.preview, { count: preview.total, shown: preview.rows.length })}</p>
          <ImportSheet preview={preview} isBusy={isBusy} container={container} onMap={map} />
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
      {result && <ImportResult result={result} problems={problems} fields={preview?.fields ?? []} onFetch={fetchProblems} onPasswords={fetchPasswords} />}
      {passwords && <OneTimePasswords passwords={passwords} onClose={closePasswords} />}
    </ScreenDialog>
  );
}

const missingFields = ({ fields, mapping }: ImportPreview) =>
  fields.filter(({ name, required }) => required && !mapping.some(({ field }) => field === name)).map(({ title }) => title);

interface ChooseFileProps {
  readonly isBusy: boolean;
  readonly onFile: (file: File) => Promise<void>;
  readonly onTemplate: () => Promise<void>;
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
            const file = target.files?.[0];
            if (file) void onFile(file);
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
