import { IconFile, IconFilePdf, IconFileVideo, IconFolder } from '@arco-design/web-react/icon';
import { type HTMLAttributes, type ReactNode, useState } from 'react';
import styles from './file-cards.module.css';
import { fileKind } from './file-kinds.ts';
import { thumbnailUrl } from './file-link.ts';

/** Renders files as a grid of pictures or as a list of rows. */
export function FileCards({ layout = 'grid', children }: { readonly layout?: 'grid' | 'rows'; readonly children: ReactNode }) {
  return (
    <ul className={styles.cards} data-look={layout}>
      {children}
    </ul>
  );
}

interface FileCardProps extends Omit<HTMLAttributes<HTMLLIElement>, 'children' | 'about'> {
  readonly name: string;
  readonly thumbnail: ThumbnailProps;
  /** Accessible name of the button that opens the file. */
  readonly label: string;
  readonly onOpen: () => void;
  /** Secondary text below the name. */
  readonly about?: ReactNode;
  /** Status of the file, such as the progress of its upload. */
  readonly state?: ReactNode;
  readonly actions?: ReactNode;
  /** Checkbox over a corner of the picture. */
  readonly checkbox?: ReactNode;
  readonly isSelected?: boolean;
}

/** Renders one file: a click on its picture opens it; its actions are below or in a menu. */
export function FileCard({ name, thumbnail, label, onOpen, about, state, actions, checkbox, isSelected = false, ...rest }: FileCardProps) {
  return (
    <li {...rest} className={styles.card} data-chosen={isSelected || undefined}>
      <button type="button" className={styles.face} aria-label={label} onClick={onOpen}>
        <Thumbnail {...thumbnail} />
      </button>
      {checkbox && <span className={styles.choice}>{checkbox}</span>}
      <span className={styles.name} title={name}>
        {name}
      </span>
      {state && <span className={styles.state}>{state}</span>}
      <span className={styles.about}>{about}</span>
      <span className={styles.acts}>{actions}</span>
    </li>
  );
}

interface ThumbnailProps {
  /** `folder`, or the MIME type of the file. */
  readonly type: string;
  readonly extension: string;
  /** Address of the file. */
  readonly link: string;
  /** Address of a cover picture, where the file is none itself. */
  readonly cover?: string | null;
}

const drawings = { pdf: IconFilePdf, video: IconFileVideo } as const;

/** Renders a thumbnail of the file; an icon of its kind where there is none or it cannot be loaded. */
function Thumbnail({ type, extension, link, cover }: ThumbnailProps) {
  const [hasFailed, setHasFailed] = useState(false);
  if (type === 'folder') return <IconFolder aria-hidden="true" />;
  const kind = fileKind(type);
  const picture = cover ?? (kind === 'image' ? link : undefined);
  if (picture && !hasFailed) return <img src={thumbnailUrl(picture)} alt="" loading="lazy" draggable={false} onError={() => setHasFailed(true)} />;
  const Drawing = kind === 'pdf' || kind === 'video' ? drawings[kind] : IconFile;
  return (
    <span className={styles.drawing}>
      <Drawing aria-hidden="true" />
      <span>{extension.toUpperCase()}</span>
    </span>
  );
}
