import { Suspense } from 'react';
import { lazyComponent } from '../loading/lazy-component.tsx';
import type { OneTimePasswordsProps } from './OneTimePasswordsDialog.tsx';

const OneTimePasswordsDialog = lazyComponent(() => import('./OneTimePasswordsDialog.tsx'));

/** Shows newly generated passwords to copy or to download; they are shown only once. */
export function OneTimePasswords(props: OneTimePasswordsProps) {
  return (
    <Suspense>
      <OneTimePasswordsDialog {...props} />
    </Suspense>
  );
}
