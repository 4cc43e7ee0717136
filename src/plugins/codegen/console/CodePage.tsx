import { Button } from '@arco-design/web-react';
import { diffComm } from 'node-diff3';
import { useMemo, useState } from 'react';
import { Can, CrudPage, copyText, Http, LoadedPart, SidePanel, saveFile, Toasts, useMutation, useQuery, useService, useTranslation } from '#kernel';
import type { LocalizedText } from '#shared/text';
import { type CodeFile, type CodeRow, code, conflictMarkers } from '../contract.ts';
import { codeMenu } from '../menus.ts';
import styles from './codegen.module.css';
import { codeMessages, fileStates, nouns } from './messages.ts';

/** Lists generated plugins. Top tasks: download the code of several plugins, 2 clicks (select all, download); write the code of one plugin, 2 clicks (preview, write). */
export default function CodePage() {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const [previewed, setPreviewed] = useState<CodeRow>();
  const download = async (ids: readonly string[]) => {
    const { success, data } = await http.send(code.zip, { ids: [...ids] });
    if (success) saveZip(data);
  };
  const copy = async ({ id }: CodeRow, reload: () => void) => {
    const { success } = await http.send(code.copy, { id });
    if (!success) return;
    toasts.success(t(codeMessages.copied));
    reload();
  };
  return (
    <>
      <CrudPage
        crud={code}
        title={codeMenu.title}
        noun={nouns.code}
        actions={{
          toolbar: [{ title: codeMessages.download, code: 'code_gen', when: () => true, onClick: download }],
          row: [
            { title: codeMessages.preview, onClick: setPreviewed },
            { title: codeMessages.copy, code: 'code_add', onClick: (row, { reload }) => copy(row, reload) },
          ],
        }}
      />
      <SidePanel
        open={previewed !== undefined}
        title={t(codeMessages.previewOf, { name: previewed?.codeName ?? '' })}
        width={1320}
        onClose={() => setPreviewed(undefined)}
      >
        {previewed && <CodePreview row={previewed} />}
      </SidePanel>
    </>
  );
}

interface DiffLine {
  readonly text: string | LocalizedText;
  /** `!` marks a caption for the lines that follow. */
  readonly mark: '+' | '-' | ' ' | '!';
  /** Side of the conflict to which the line belongs. */
  readonly side?: ConflictSide;
}
type ConflictSide = 'mine' | 'theirs' | undefined;

/** Conflict markers in the file, with the captions shown in their place. */
const conflictCaptions: readonly [prefix: string, from: ConflictSide, to: ConflictSide, caption: LocalizedText][] = [
  [conflictMarkers.mine, undefined, 'mine', codeMessages.byHand],
  [conflictMarkers.theirs, 'mine', 'theirs', codeMessages.byGenerator],
  [conflictMarkers.end, 'theirs', undefined, codeMessages.conflictEnds],
];

/** Shows a file with added and removed lines; a conflict shows both sides. */
function FileDiff({ file: { path, current, text, state } }: { readonly file: CodeFile }) {
  const t = useTranslation();
  const lines = useMemo(() => {
    const all = linesOf(current, text);
    return state === 'conflict' ? withSides(all) : all;
  }, [current, text, state]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area has to be reachable by keyboard
    <section className={styles.diff} tabIndex={0} aria-label={path}>
      <pre>
        {lines.map(({ text: line, mark, side }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity other than their index
          <span key={index} className={styles.diffLine} data-mark={mark} data-side={side}>
            {`${mark} ${typeof line === 'string' ? line : t(line)}\n`}
          </span>
        ))}
      </pre>
    </section>
  );
}

function linesOf(current: string | null, text: string): DiffLine[] {
  const split = (content: string) => content.replace(/\n$/, '').split('\n');
  const all = (lines: readonly string[], mark: DiffLine['mark']): DiffLine[] => lines.map((line) => ({ text: line, mark }));
  if (current === null) return all(split(text), ' ');
  return diffComm(split(current), split(text)).flatMap((part) =>
    'common' in part ? all(part.common, ' ') : [...all(part.buffer1, '-'), ...all(part.buffer2, '+')],
  );
}

function withSides(lines: readonly DiffLine[]): DiffLine[] {
  let side: ConflictSide;
  return lines.map((line) => {
    const marker = conflictCaptions.find(([prefix, from]) => side === from && String(line.text).startsWith(prefix));
    if (!marker) return side ? { ...line, mark: ' ', side } : line;
    const [, , to, caption] = marker;
    side = to;
    return { text: caption, mark: '!' };
  });
}

/** Compares the files of a plugin with the current sources; they can be downloaded, copied and, in development, written. */
export function CodePreview({ row }: { readonly row: CodeRow }) {
  const toasts = useService(Toasts);
  const t = useTranslation();
  const [path, setPath] = useState<string>();
  const query = useQuery(code.preview, { id: row.id });
  const download = useMutation(code.zip, { onSuccess: saveZip });
  const write = useMutation(code.genCode, {
    onSuccess: ({ written }) => {
      toasts.success(t(codeMessages.generated, { count: written.length }));
      query.refetch();
    },
  });
  if (!query.data) return <LoadedPart query={query}>{() => null}</LoadedPart>;

  const { files, canWrite } = query.data;
  const selected = files.find((file) => file.path === path) ?? files.find(({ state }) => state === 'conflict') ?? files[0];
  const conflicts = files.filter(({ state }) => state === 'conflict').length;
  const copy = async () => {
    if (await copyText(selected?.text ?? '')) toasts.success(t(codeMessages.fileCopied));
    else toasts.error(t(codeMessages.copyFailed));
  };
  return (
    <div className={styles.grid}>
      <div className={styles.bar}>
        <Can code="code_gen">
          {canWrite && (
            <Button type="primary" loading={write.isPending} onClick={() => void write.mutate({ ids: [row.id], keepMine: conflicts > 0 })}>
              {t(conflicts > 0 ? codeMessages.writeMine : codeMessages.write)}
            </Button>
          )}
          <Button loading={download.isPending} onClick={() => void download.mutate({ ids: [row.id] })}>
            {t(codeMessages.download)}
          </Button>
        </Can>
        <Button onClick={() => void copy()}>{t(codeMessages.copyFile)}</Button>
        {conflicts > 0 && (
          <span role="status" className={styles.conflict}>
            {t(codeMessages.conflicts, { count: conflicts })}
          </span>
        )}
      </div>
      <div className={styles.preview}>
        <FileTree folder={folderOf(files)} label={t(codeMessages.files)} selected={selected} onOpen={setPath} />
        {selected && <FileDiff file={selected} />}
      </div>
    </div>
  );
}

interface FileTreeProps {
  readonly folder: FileFolder;
  readonly label: string;
  readonly selected: CodeFile | undefined;
  readonly onOpen: (path: string) => void;
}

/** Tree of files and folders, each file with its state. */
function FileTree({ folder: { folders, files }, label, ...props }: FileTreeProps) {
  const t = useTranslation();
  const { selected, onOpen } = props;
  return (
    <ul className={styles.files} aria-label={label}>
      {folders.map((folder) => (
        <li key={folder.name}>
          <span className={styles.folder}>{folder.name}/</span>
          <FileTree folder={folder} label={folder.name} {...props} />
        </li>
      ))}
      {files.map(({ name, file }) => (
        <li key={file.path}>
          <button
            type="button"
            title={file.path}
            aria-label={`${file.path} ${t(fileStates[file.state])}`}
            aria-current={file === selected}
            onClick={() => onOpen(file.path)}
          >
            <span>{name}</span>
            <span className={styles.state} data-state={file.state}>
              {t(fileStates[file.state])}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Folder with its content; a folder that contains only another folder is merged with it. */
interface FileFolder {
  readonly name: string;
  readonly folders: readonly FileFolder[];
  readonly files: readonly { readonly name: string; readonly file: CodeFile }[];
}

/** Groups files by folder, in their original order. */
export function folderOf(files: readonly CodeFile[], name = '', depth = 0): FileFolder {
  const filesByFolder = new Map<string, CodeFile[]>();
  const ownFiles: { name: string; file: CodeFile }[] = [];
  for (const file of files) {
    const [first = '', ...rest] = file.path.split('/').slice(depth);
    if (rest.length === 0) ownFiles.push({ name: first, file });
    else filesByFolder.set(first, [...(filesByFolder.get(first) ?? []), file]);
  }
  const folders = [...filesByFolder].map(([folder, content]) => collapsed(folderOf(content, folder, depth + 1)));
  return { name, folders, files: ownFiles };
}

function collapsed(folder: FileFolder): FileFolder {
  const [subfolder, ...others] = folder.folders;
  return subfolder && others.length === 0 && folder.files.length === 0 ? { ...subfolder, name: `${folder.name}/${subfolder.name}` } : folder;
}

/** Downloads an archive in the browser. */
function saveZip({ name, content }: { readonly name: string; readonly content: string }): void {
  const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
  saveFile(name, new Blob([bytes], { type: 'application/zip' }));
}
