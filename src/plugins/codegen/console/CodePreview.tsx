import { Button } from '@arco-design/web-react';
import { useEffect, useState } from 'react';
import { Can, copyText, Http, Toasts, useService, useTranslation } from '#kernel';
import { type CodeFile, type CodeRow, code } from '../contract.ts';
import styles from './codegen.module.css';
import { FileDiff } from './FileDiff.tsx';
import { FileTree } from './FileTree.tsx';
import { codeMessages } from './messages.ts';
import { saveZip } from './save-zip.ts';

/** Compares the files of a plugin with the current sources; they can be downloaded, copied and, in development, written. */
export function CodePreview({ of }: { readonly of: CodeRow }) {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const [preview, setPreview] = useState<{ readonly canWrite: boolean; readonly files: readonly CodeFile[] }>();
  const [path, setPath] = useState<string>();
  const [round, setRound] = useState(0);
  const [isBusy, setIsBusy] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new `round` reloads the preview
  useEffect(() => {
    void http.send(code.preview, { id: of.id }).then(({ success, data }) => success && setPreview(data));
  }, [http, of.id, round]);
  if (!preview) return <div className={styles.grid} aria-busy="true" />;

  const { files, canWrite } = preview;
  const chosen = files.find((file) => file.path === path) ?? files.find(({ state }) => state === 'conflict') ?? files[0];
  const conflicts = files.filter(({ state }) => state === 'conflict').length;
  const download = async () => {
    const { success, data } = await http.send(code.zip, { ids: [of.id] });
    if (success) saveZip(data);
  };
  const write = async () => {
    setIsBusy(true);
    const { success, data } = await http.send(code.genCode, { ids: [of.id], keepMine: conflicts > 0 }).finally(() => setIsBusy(false));
    if (!success) return;
    toasts.success(t(codeMessages.generated, { count: data.written.length }));
    setRound(round + 1);
  };
  const copy = async () => {
    if (await copyText(chosen?.text ?? '')) toasts.success(t(codeMessages.fileCopied));
    else toasts.error(t(codeMessages.copyFailed));
  };
  return (
    <div className={styles.grid}>
      <div className={styles.bar}>
        <Can code="code_gen">
          {canWrite && (
            <Button type="primary" loading={isBusy} onClick={() => void write()}>
              {t(conflicts > 0 ? codeMessages.writeMine : codeMessages.write)}
            </Button>
          )}
          <Button onClick={() => void download()}>{t(codeMessages.download)}</Button>
        </Can>
        <Button onClick={() => void copy()}>{t(codeMessages.copyFile)}</Button>
        {conflicts > 0 && (
          <span role="status" className={styles.conflict}>
            {t(codeMessages.conflicts, { count: conflicts })}
          </span>
        )}
      </div>
      <div className={styles.preview}>
        <FileTree files={files} chosen={chosen} onOpen={setPath} />
        {chosen && <FileDiff of={chosen} />}
      </div>
    </div>
  );
}
