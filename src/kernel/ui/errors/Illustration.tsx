import { type FunctionComponent, lazy, Suspense } from 'react';
import type { IllustrationProps } from './SignDrawing.tsx';

export type { Scene } from './SignDrawing.tsx';

/** The drawing is loaded on demand; if that fails, only the text is shown. */
const Nothing: FunctionComponent<IllustrationProps> = () => null;
const SignDrawing = lazy<FunctionComponent<IllustrationProps>>(() => import('./SignDrawing.tsx').catch(() => ({ default: Nothing })));

/** Renders one of our drawings in the colours of the theme and reserves its space while it loads. */
export function Illustration(props: IllustrationProps) {
  return (
    <Suspense fallback={<span style={{ display: 'block', width: 220, maxWidth: '100%', aspectRatio: '22 / 15' }} />}>
      <SignDrawing {...props} />
    </Suspense>
  );
}
