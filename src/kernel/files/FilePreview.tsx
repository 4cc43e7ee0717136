import { lazy, Suspense } from 'react';
import type { PreviewProps } from './Preview.tsx';

const Preview = lazy(() => import('./Preview.tsx'));

/** A file over the page, loaded when there is one: pictures, video, sound, PDF and text are shown, anything else can be downloaded. */
export const FilePreview = (props: PreviewProps) => (
  <Suspense>
    <Preview {...props} />
  </Suspense>
);
