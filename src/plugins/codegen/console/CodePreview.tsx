import { Button } from '@arco-design/web-react';
import { useEffect, useState } from 'react';
import { Can, copyText, Http, Toasts, useService, useWords } from '#kernel';
import { type CodeFile, type CodeRow, code } from '../contract.ts';
import styles from './codegen.module.css';
import { FileDiff } from './FileDiff.tsx';
import { FileTree } from './FileTree.tsx';
import { saveZip } from './save-zip.ts';
import { codeWords } from './words.ts';

/** The files of a plugin beside what stands in the sources now; from here they are downloaded, copied and, in development, written. */
export function CodePreview({ of }: { readonly of: CodeRow }) {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const say = useWords();
  const [preview, show] = useState<{ readonly canWrite: boolean; readonly files: readonly CodeFile[] }>();
  const [path, open] = useState<string>();
  const [round, again] = useState(0);
  const [isBusy, setBusy] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another round reads anew
  useEffect(() => {
    void http.send(code.preview, { id: of.id }).then(({ success, data }) => success && show(data));
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
    setBusy(true);
    const { success, data } = await http.send(code.genCode, { ids: [of.id], keepMine: conflicts > 0 }).finally(() => setBusy(false));
    if (!success) return;
    toasts.success(say(codeWords.generated, { count: data.written.length }));
    again(round + 1);
  };
  const copy = async () => {
    if (await copyText(chosen?.text ?? '')) toasts.success(say(codeWords.fileCopied));
    else toasts.error(say(codeWords.copyFailed));
  };
  return (
    <div className={styles.grid}>
      <div className={styles.bar}>
        <Can code="code_gen">
          {canWrite && (
            <Button type="primary" loading={isBusy} onClick={() => void write()}>
              {say(conflicts > 0 ? codeWords.writeMine : codeWords.write)}
            </Button>
          )}
          <Button onClick={() => void download()}>{say(codeWords.download)}</Button>
        </Can>
        <Button onClick={() => void copy()}>{say(codeWords.copyFile)}</Button>
        {conflicts > 0 && (
          <span role="status" className={styles.conflict}>
            {say(codeWords.conflicts, { count: conflicts })}
          </span>
        )}
      </div>
      <div className={styles.preview}>
        <FileTree files={files} chosen={chosen} onOpen={open} />
        {chosen && <FileDiff of={chosen} />}
      </div>
    </div>
  );
}
