import { Button, Checkbox } from '@arco-design/web-react';
import { IconCopy, IconDelete, IconFile, IconFilePdf, IconFileVideo } from '@arco-design/web-react/icon';
import { useState } from 'react';
import { Can, kindOf, readableSize, useWords } from '#kernel';
import { type AttachRow, attachWords } from '../contract.ts';
import styles from './storage.module.css';

interface GalleryProps {
  readonly rows: readonly AttachRow[];
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (id: string, isChosen: boolean) => void;
  readonly onOpen: (row: AttachRow) => void;
  readonly onCopy: (row: AttachRow) => void;
  readonly onRemove: (row: AttachRow) => void;
}

/** Attachments as pictures: one opens large, its buttons stand below it. */
export function Gallery({ rows, chosen, onChoose, onOpen, onCopy, onRemove }: GalleryProps) {
  const say = useWords();
  return (
    <ul className={styles.gallery}>
      {rows.map((row) => {
        const name = row.originalName;
        return (
          <li key={row.id} className={styles.card} data-chosen={chosen.has(row.id) || undefined}>
            <button type="button" className={styles.picture} aria-label={say(attachWords.preview, { name })} onClick={() => onOpen(row)}>
              <Picture of={row} />
            </button>
            <Can code="attach_delete">
              <Checkbox
                className={styles.choice ?? ''}
                aria-label={say(attachWords.choose, { name })}
                checked={chosen.has(row.id)}
                onChange={(isChosen) => onChoose(row.id, isChosen)}
              />
            </Can>
            <span className={styles.name} title={name}>
              {name}
            </span>
            <span className={styles.about}>
              <span>{readableSize(row.attachSize)}</span>
              <Button size="mini" type="text" icon={<IconCopy />} aria-label={say(attachWords.copyOf, { name })} onClick={() => onCopy(row)} />
              <Can code="attach_delete">
                <Button size="mini" type="text" icon={<IconDelete />} aria-label={say(attachWords.removeOf, { name })} onClick={() => onRemove(row)} />
              </Can>
            </span>
          </li>
        );
      })}
    </ul>
  );
}

const drawings = { pdf: IconFilePdf, video: IconFileVideo } as const;

function Picture({ of: { type, link, extension } }: { readonly of: AttachRow }) {
  const [hasFailed, setFailed] = useState(false);
  const kind = kindOf(type);
  if (kind === 'picture' && !hasFailed) return <img src={`${link}&view=small`} alt="" loading="lazy" onError={() => setFailed(true)} />;
  const Drawing = kind === 'pdf' || kind === 'video' ? drawings[kind] : IconFile;
  return (
    <span className={styles.drawing}>
      <Drawing aria-hidden="true" />
      <span>{extension.toUpperCase()}</span>
    </span>
  );
}
