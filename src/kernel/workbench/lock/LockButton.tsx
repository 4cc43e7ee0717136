import { Suspense, useState } from 'react';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { lazyComponent } from '../../ui/loading/lazy-component.tsx';
import { Icon } from '../../ui/primitives/Icon.tsx';
import { IconButton } from '../../ui/primitives/IconButton.tsx';

const LockDialog = lazyComponent(() => import('./LockDialog.tsx'));

/** Opens the dialog that asks for a lock password and locks the screen. */
export function LockButton() {
  const t = useTranslation();
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <IconButton label={t('lock.lockScreen')} aria-haspopup="dialog" onClick={() => setIsAsking(true)}>
        <Icon name="lock" />
      </IconButton>
      {isAsking && (
        <Suspense>
          <LockDialog onClose={() => setIsAsking(false)} />
        </Suspense>
      )}
    </>
  );
}
