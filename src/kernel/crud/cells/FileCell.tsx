import { fileBehind } from '../../ui/files/file-link.ts';
import { isSafeLink } from '../model/cell-text.ts';
import { Ellipsis } from './Ellipsis.tsx';
import { Thumbnail } from './Thumbnail.tsx';

interface FileCellProps {
  readonly isPicture: boolean;
  /** Accepted file types; several pictures are shown as thumbnails. */
  readonly accept: string | undefined;
  readonly value: unknown;
  /** Fallback name of a picture without one. */
  readonly name: string;
}

/** Renders thumbnails that open large, or files by their names. */
export default function FileCell({ isPicture, accept, value, name }: FileCellProps) {
  if (isPicture) return <Thumbnail link={String(value)} name={name} />;
  const links = Array.isArray(value) ? value.map(String) : String(value).split(',');
  const arePictures = accept?.split(',').every((kind) => kind.trim().startsWith('image/'));
  return (
    <span className="cell_several">
      {links.map((link) =>
        arePictures ? (
          <Thumbnail key={link} link={link} name={name} />
        ) : isSafeLink(link) ? (
          <a key={link} className="cell" href={link} target="_blank" rel="noreferrer noopener" onClick={(event) => event.stopPropagation()}>
            {fileBehind(link).name}
          </a>
        ) : (
          <Ellipsis key={link} text={fileBehind(link).name} />
        ),
      )}
    </span>
  );
}
