import { Suspense, useState } from 'react';
import { useText } from '../i18n/use-words.ts';
import { part } from '../part.tsx';
import { Icon } from '../shell/Icon.tsx';
import { IconButton } from '../shell/IconButton.tsx';

const LockDialog = part(() => import('./LockDialog.tsx'));

/** Asks for a lock password, and locks. */
export function LockButton() {
  const text = useText();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <IconButton label={text('lock.lockScreen')} aria-haspopup="dialog" onClick={() => setAsking(true)}>
        <Icon name="lock" />
      </IconButton>
      {isAsking && (
        <Suspense>
          <LockDialog onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </>
  );
}
