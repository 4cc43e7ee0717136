import { LoadedPart, SidePanel, useMutation, useQuery, useTranslation } from '#kernel';
import { type ResourceRow, resource } from '../contract.ts';
import { resourceMessages } from './messages.ts';
import styles from './resource.module.css';

interface MovePanelProps {
  readonly row: ResourceRow;
  /** Resolves true once the resource is moved; the panel then closes. */
  readonly onMove: (parentId: string) => Promise<boolean>;
  readonly onClose: () => void;
}

interface FolderNode {
  readonly value: string;
  readonly title: string;
  readonly children?: readonly FolderNode[];
}

/** Offers the folders to which a folder or file can be moved, as an alternative to dragging it. */
export function MovePanel({ row, onMove, onClose }: MovePanelProps) {
  const t = useTranslation();
  const folders = useQuery(resource.folders, {});
  const { mutate } = useMutation(onMove, { onSuccess: onClose });
  const select = (parentId: string) => void mutate(parentId);
  return (
    <SidePanel open title={t(resourceMessages.moveOf, { name: row.name })} width={420} onClose={onClose}>
      <LoadedPart query={folders}>
        {(loaded) => (
          <ul className={styles.folders}>
            <li>
              <button type="button" disabled={row.parentId === '0'} onClick={() => select('0')}>
                {t(resourceMessages.root)}
              </button>
              <FolderTree folders={loaded as readonly FolderNode[]} moved={row} onSelect={select} />
            </li>
          </ul>
        )}
      </LoadedPart>
    </SidePanel>
  );
}

interface FolderTreeProps {
  readonly folders: readonly FolderNode[];
  readonly moved: ResourceRow;
  readonly onSelect: (parentId: string) => void;
}

function FolderTree({ folders, moved, onSelect }: FolderTreeProps) {
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
