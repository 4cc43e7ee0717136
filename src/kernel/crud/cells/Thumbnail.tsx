import { Suspense, useState } from 'react';
import { thumbnailUrl } from '../../files/thumbnail-url.ts';
import { useText } from '../../i18n/use-words.ts';
import { part } from '../../part.tsx';
import { fileBehind } from '../form/controls/file-link.ts';
import { isSafeLink } from './cell-text.ts';

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
