import { Suspense } from 'react';
import { lazyComponent } from '../loading/lazy-component.tsx';
import type { OneTimePasswordsProps } from './OneTimePasswordsDialog.tsx';
import type { OneTimeSecretDialogProps } from './OneTimeSecretDialog.tsx';

const OneTimeSecretDialog = lazyComponent(() => import('./OneTimeSecretDialog.tsx'));

/** Shows a secret that the server returns only once, to read and to copy. */
export function OneTimeSecret(props: OneTimeSecretDialogProps) {
  return (
    <Suspense>
      <OneTimeSecretDialog {...props} />
    </Suspense>
  );
}

const OneTimePasswordsDialog = lazyComponent(() => import('./OneTimePasswordsDialog.tsx'));

/** Shows newly generated passwords to copy or to download; they are shown only once. */
export function OneTimePasswords(props: OneTimePasswordsProps) {
  return (
    <Suspense>
      <OneTimePasswordsDialog {...props} />
    </Suspense>
  );
}
