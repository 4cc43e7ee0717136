import { fileName, isSafeLink } from './cell-text.ts';
import { Ellipsis } from './Ellipsis.tsx';
import { Thumbnail } from './Thumbnail.tsx';

interface FileCellProps {
  readonly isPicture: boolean;
  readonly value: unknown;
  /** What a picture is called that has no name of its own. */
  readonly name: string;
}

/** A picture that opens large, or files by their names. */
export default function FileCell({ isPicture, value, name }: FileCellProps) {
  if (isPicture) return <Thumbnail link={String(value)} name={name} />;
  const links = Array.isArray(value) ? value.map(String) : String(value).split(',');
  return (
    <span className="cell_several">
      {links.map((link) =>
        isSafeLink(link) ? (
          <a key={link} className="cell" href={link} target="_blank" rel="noreferrer noopener" onClick={(event) => event.stopPropagation()}>
            {fileName(link)}
          </a>
        ) : (
          <Ellipsis key={link} text={fileName(link)} />
        ),
      )}
    </span>
  );
}
