import { Suspense, useState } from 'react';
import { useText } from '../../platform/i18n/use-words.ts';
import { part } from '../../ui/loading/part.tsx';
import { Icon } from '../../ui/primitives/Icon.tsx';
import { IconButton } from '../../ui/primitives/IconButton.tsx';

const LockDialog = part(() => import('./LockDialog.tsx'));

/** Opens the dialog that asks for a lock password and locks the screen. */
export function LockButton() {
  const text = useText();
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <IconButton label={text('lock.lockScreen')} aria-haspopup="dialog" onClick={() => setIsAsking(true)}>
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
