import { lazy, Suspense } from 'react';
import type { PreviewProps } from './Preview.tsx';

const Preview = lazy(() => import('./Preview.tsx'));

/** Shows a file over the page: pictures, video, sound, PDF and text; other kinds can be downloaded. The preview is loaded on demand. */
export const FilePreview = (props: PreviewProps) => (
  <Suspense>
    <Preview {...props} />
  </Suspense>
);
