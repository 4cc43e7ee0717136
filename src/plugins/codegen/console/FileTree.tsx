import { useTranslation } from '#kernel';
import type { CodeFile } from '../contract.ts';
import styles from './codegen.module.css';
import { type Folder, folderOf } from './file-folders.ts';
import { codeMessages, fileStates } from './messages.ts';

interface FileTreeProps {
  readonly files: readonly CodeFile[];
  readonly chosen: CodeFile | undefined;
  readonly onOpen: (path: string) => void;
}

/** Tree of files and folders, each file with its state. */
export function FileTree({ files, ...props }: FileTreeProps) {
  const t = useTranslation();
  return <Branch of={folderOf(files)} label={t(codeMessages.files)} {...props} />;
}

function Branch({ of: { folders, files }, label, ...props }: Omit<FileTreeProps, 'files'> & { readonly of: Folder; readonly label: string }) {
  const t = useTranslation();
  const { chosen, onOpen } = props;
  return (
    <ul className={styles.files} aria-label={label}>
      {folders.map((folder) => (
        <li key={folder.name}>
          <span className={styles.folder}>{folder.name}/</span>
          <Branch of={folder} label={folder.name} {...props} />
        </li>
      ))}
      {files.map(({ name, file }) => (
        <li key={file.path}>
          <button
            type="button"
            title={file.path}
            aria-label={`${file.path} ${t(fileStates[file.state])}`}
            aria-current={file === chosen}
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
