import { IconFile, IconFilePdf, IconFileVideo, IconFolder } from '@arco-design/web-react/icon';
import { type HTMLAttributes, type ReactNode, useState } from 'react';
import styles from './file-cards.module.css';
import { kindOf } from './file-kinds.ts';
import { smallView } from './small-view.ts';

/** Files side by side as pictures, or below each other as rows. */
export function FileCards({ look = 'grid', children }: { readonly look?: 'grid' | 'rows'; readonly children: ReactNode }) {
  return (
    <ul className={styles.cards} data-look={look}>
      {children}
    </ul>
  );
}

interface FileCardProps extends Omit<HTMLAttributes<HTMLLIElement>, 'children' | 'about'> {
  readonly name: string;
  readonly face: FaceProps;
  /** What the button is called that is the file's face. */
  readonly label: string;
  readonly onOpen: () => void;
  /** What is small and grey. */
  readonly about?: ReactNode;
  /** How far it has come, where there is something to say. */
  readonly state?: ReactNode;
  readonly acts?: ReactNode;
  /** What chooses it, over a corner of its face. */
  readonly choice?: ReactNode;
  readonly isChosen?: boolean;
}

/** One file: its face opens it, what can be done with it stands below, or behind. */
export function FileCard({ name, face, label, onOpen, about, state, acts, choice, isChosen = false, ...rest }: FileCardProps) {
  return (
    <li {...rest} className={styles.card} data-chosen={isChosen || undefined}>
      <button type="button" className={styles.face} aria-label={label} onClick={onOpen}>
        <Face {...face} />
      </button>
      {choice && <span className={styles.choice}>{choice}</span>}
      <span className={styles.name} title={name}>
        {name}
      </span>
      {state && <span className={styles.state}>{state}</span>}
      <span className={styles.about}>{about}</span>
      <span className={styles.acts}>{acts}</span>
    </li>
  );
}

interface FaceProps {
  /** `folder`, or the type of its content. */
  readonly type: string;
  readonly extension: string;
  /** Leads to the file. */
  readonly link: string;
  /** Leads to a picture of it, where it is none itself. */
  readonly cover?: string | null;
}

const drawings = { pdf: IconFilePdf, video: IconFileVideo } as const;

/** A small picture of what a file shows; a drawing of its kind where there is none, or it cannot be had. */
function Face({ type, extension, link, cover }: FaceProps) {
  const [hasFailed, setFailed] = useState(false);
  if (type === 'folder') return <IconFolder aria-hidden="true" />;
  const kind = kindOf(type);
  const picture = cover ?? (kind === 'picture' ? link : undefined);
  if (picture && !hasFailed) return <img src={smallView(picture)} alt="" loading="lazy" draggable={false} onError={() => setFailed(true)} />;
  const Drawing = kind === 'pdf' || kind === 'video' ? drawings[kind] : IconFile;
  return (
    <span className={styles.drawing}>
      <Drawing aria-hidden="true" />
      <span>{extension.toUpperCase()}</span>
    </span>
  );
}
