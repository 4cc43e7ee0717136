import { Suspense } from 'react';
import { part } from '../../part.tsx';

const RichTextValue = part(() => import('./RichTextValue.tsx'));

/** Formatted text to be read; what draws it comes with the first of it. */
export function FormattedText({ html }: { readonly html: string }) {
  return (
    <Suspense fallback={<span className="cell cell_awaited" />}>
      <RichTextValue html={html} />
    </Suspense>
  );
}
