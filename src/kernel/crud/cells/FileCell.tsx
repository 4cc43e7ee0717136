import { Suspense, useState } from 'react';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { parseFileLink, thumbnailUrl } from '../../ui/files/file-link.ts';
import { lazyComponent } from '../../ui/loading/lazy-component.tsx';
import { isSafeLink } from '../model/cell-text.ts';
import { Ellipsis } from './Ellipsis.tsx';

interface FileCellProps {
  readonly isPicture: boolean;
  /** Accepted file types; several pictures are shown as thumbnails. */
  readonly accept: string | undefined;
  readonly value: unknown;
  /** Name of pictures whose links contain none. */
  readonly name: string;
}

/** Renders thumbnails that open a preview, or the names of files. */
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
            {parseFileLink(link).name}
          </a>
        ) : (
          <Ellipsis key={link} text={parseFileLink(link).name} />
        ),
      )}
    </span>
  );
}

const Preview = lazyComponent(() => import('./ImagePreview.tsx'));

/** Renders a thumbnail that opens a preview. */
function Thumbnail({ link, name }: { readonly link: string; readonly name: string }) {
  const t = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  const [hasFailed, setHasFailed] = useState(false);
  const title = parseFileLink(link).name || name;
  if (!isSafeLink(link) || hasFailed) return <span className="cell">{title}</span>;
  return (
    <>
      <button
        type="button"
        className="cell_thumbnail"
        aria-label={t('table.preview', { name: title })}
        onClick={(event) => {
          event.stopPropagation();
          setIsOpen(true);
        }}
      >
        <img src={thumbnailUrl(link)} alt="" loading="lazy" onError={() => setHasFailed(true)} />
      </button>
      {isOpen && (
        <Suspense>
          <Preview link={link} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
