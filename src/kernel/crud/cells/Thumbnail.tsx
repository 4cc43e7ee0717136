import { Suspense, useState } from 'react';
import { useText } from '../../platform/i18n/use-words.ts';
import { fileBehind } from '../../ui/files/file-link.ts';
import { thumbnailUrl } from '../../ui/files/thumbnail-url.ts';
import { part } from '../../ui/loading/part.tsx';
import { isSafeLink } from '../model/cell-text.ts';

const Preview = part(() => import('./ImagePreview.tsx'));

/** Renders a small picture that opens large. */
export function Thumbnail({ link, name }: { readonly link: string; readonly name: string }) {
  const text = useText();
  const [isOpen, setIsOpen] = useState(false);
  const [hasFailed, setHasFailed] = useState(false);
  const title = fileBehind(link).name || name;
  if (!isSafeLink(link) || hasFailed) return <span className="cell">{title}</span>;
  return (
    <>
      <button
        type="button"
        className="cell_thumbnail"
        aria-label={text('table.preview', { name: title })}
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
