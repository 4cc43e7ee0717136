import { Suspense } from 'react';
import { part } from '../part.tsx';
import type { ToldOnceProps } from './ToldOnceDialog.tsx';

const ToldOnceDialog = part(() => import('./ToldOnceDialog.tsx'));

/** A secret the server tells a single time, with whatever belongs to it: to read, to copy, and then never again. */
export function ToldOnce(props: ToldOnceProps) {
  return (
    <Suspense>
      <ToldOnceDialog {...props} />
    </Suspense>
  );
}
