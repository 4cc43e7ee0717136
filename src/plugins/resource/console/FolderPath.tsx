import { useTranslation } from '#kernel';
import { resourceMessages } from './messages.ts';
import { useDropTarget } from './ResourceGrid.tsx';
import styles from './resource.module.css';

/** A folder on the path that the user has opened. */
export interface OpenFolder {
  readonly id: string;
  readonly name: string;
}

interface FolderPathProps {
  readonly path: readonly OpenFolder[];
  readonly onNavigate: (path: readonly OpenFolder[]) => void;
  readonly onDrop: (id: string, folder: string) => void;
}

/** Breadcrumb of the open folders; resources can be dropped on each of them. */
export function FolderPath({ path, onNavigate, onDrop }: FolderPathProps) {
  const t = useTranslation();
  return (
    <nav className={styles.path} aria-label={t(resourceMessages.path)}>
      <ol>
        <PathSegment name={t(resourceMessages.root)} isLast={path.length === 0} onNavigate={() => onNavigate([])} onDrop={(id) => onDrop(id, '0')} />
        {path.map(({ id, name }, index) => (
          <PathSegment
            key={id}
            name={name}
            isLast={index === path.length - 1}
            onNavigate={() => onNavigate(path.slice(0, index + 1))}
            onDrop={(dragged) => onDrop(dragged, id)}
          />
        ))}
      </ol>
    </nav>
  );
}

interface PathSegmentProps {
  readonly name: string;
  readonly isLast: boolean;
  readonly onNavigate: () => void;
  readonly onDrop: (id: string) => void;
}

function PathSegment({ name, isLast, onNavigate, onDrop }: PathSegmentProps) {
  const dropTarget = useDropTarget(onDrop);
  return (
    <li>
      <button type="button" aria-current={isLast ? 'location' : undefined} onClick={onNavigate} {...(isLast ? {} : dropTarget)}>
        {name}
      </button>
    </li>
  );
}
