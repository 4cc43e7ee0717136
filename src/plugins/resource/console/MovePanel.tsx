import { SidePanel, useQuery, useTranslation } from '#kernel';
import { type ResourceRow, resource } from '../contract.ts';
import { resourceMessages } from './messages.ts';
import styles from './resource.module.css';

interface MovePanelProps {
  readonly row: ResourceRow;
  readonly onMove: (pid: string) => void;
  readonly onClose: () => void;
}

interface Folder {
  readonly value: string;
  readonly title: string;
  readonly children?: readonly Folder[];
}

/** Moves a folder or file by keyboard: lists all targets target folders. */
export function MovePanel({ row, onMove, onClose }: MovePanelProps) {
  const t = useTranslation();
  const { data, isFetching } = useQuery(resource.folders, {});
  const select = (pid: string) => {
    onMove(pid);
    onClose();
  };
  return (
    <SidePanel open title={t(resourceMessages.moveOf, { name: row.name })} width={420} onClose={onClose}>
      <div className={styles.folders} aria-busy={isFetching}>
        <ul>
          <li>
            <button type="button" disabled={row.parentId === '0'} onClick={() => select('0')}>
              {t(resourceMessages.root)}
            </button>
            <FolderTree folders={(data ?? []) as readonly Folder[]} moved={row} onSelect={select} />
          </li>
        </ul>
      </div>
    </SidePanel>
  );
}

function FolderTree({
  folders,
  moved,
  onSelect,
}: {
  readonly folders: readonly Folder[];
  readonly moved: ResourceRow;
  readonly onSelect: (pid: string) => void;
}) {
  // A folder cannot be moved into itself.
  const targets = folders.filter(({ value }) => value !== moved.id);
  if (targets.length === 0) return null;
  return (
    <ul>
      {targets.map(({ value, title, children = [] }) => (
        <li key={value}>
          <button type="button" disabled={value === moved.parentId} onClick={() => onSelect(value)}>
            {title}
          </button>
          <FolderTree folders={children} moved={moved} onSelect={onSelect} />
        </li>
      ))}
    </ul>
  );
}
