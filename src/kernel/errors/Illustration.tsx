import { type FunctionComponent, lazy, Suspense } from 'react';
import type { IllustrationProps } from './SignDrawing.tsx';

export type { Scene } from './SignDrawing.tsx';

/** Fetched when there is something to say; where even that fails, the words say it alone. */
const Nothing: FunctionComponent<IllustrationProps> = () => null;
const SignDrawing = lazy<FunctionComponent<IllustrationProps>>(() => import('./SignDrawing.tsx').catch(() => ({ default: Nothing })));

/** One of our drawings in the colours of the theme; its place is kept while it is fetched. */
export function Illustration(props: IllustrationProps) {
  return (
    <Suspense fallback={<span style={{ display: 'block', width: 220, maxWidth: '100%', aspectRatio: '22 / 15' }} />}>
      <SignDrawing {...props} />
    </Suspense>
  );
}
