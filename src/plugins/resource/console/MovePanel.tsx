import { LoadedPart, SidePanel, useQuery, useTranslation } from '#kernel';
import { type ResourceRow, resource } from '../contract.ts';
import { resourceMessages } from './messages.ts';
import styles from './resource.module.css';

interface MovePanelProps {
  readonly row: ResourceRow;
  readonly onMove: (parentId: string) => void;
  readonly onClose: () => void;
}

interface Folder {
  readonly value: string;
  readonly title: string;
  readonly children?: readonly Folder[];
}

/** Moves a folder or file to a folder of a list, as an alternative to dragging it. */
export function MovePanel({ row, onMove, onClose }: MovePanelProps) {
  const t = useTranslation();
  const folders = useQuery(resource.folders, {});
  const select = (parentId: string) => {
    onMove(parentId);
    onClose();
  };
  return (
    <SidePanel open title={t(resourceMessages.moveOf, { name: row.name })} width={420} onClose={onClose}>
      <LoadedPart query={folders}>
        {(loaded) => (
          <ul className={styles.folders}>
            <li>
              <button type="button" disabled={row.parentId === '0'} onClick={() => select('0')}>
                {t(resourceMessages.root)}
              </button>
              <FolderTree folders={loaded as readonly Folder[]} moved={row} onSelect={select} />
            </li>
          </ul>
        )}
      </LoadedPart>
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
  readonly onSelect: (parentId: string) => void;
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
