import { Suspense } from 'react';
import { lazyComponent } from '../../ui/loading/lazy-component.tsx';

const RichTextValue = lazyComponent(() => import('./RichTextValue.tsx'));

/** Renders formatted text; the renderer is loaded with its first use. */
export function FormattedText({ html }: { readonly html: string }) {
  return (
    <Suspense fallback={<span className="cell cell_awaited" />}>
      <RichTextValue html={html} />
    </Suspense>
  );
}
