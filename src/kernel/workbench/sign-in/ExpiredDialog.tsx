import { useEffect, useRef } from 'react';
import type { Manifest } from '#shared/manifest';
import type { SessionEnding } from '#shared/session-ended';
import { signInMethodTexts } from '../../platform/i18n/texts.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { WithTexts } from '../../platform/i18n/WithTexts.tsx';
import { SignIn } from './SignIn.tsx';
import { returnToAddress } from './sign-in-redirect.ts';
import styles from './styles/ExpiredDialog.module.css';

interface ExpiredDialogProps {
  readonly manifest: Manifest;
  /** Reason from the server, if it gave one. */
  readonly ending: SessionEnding | undefined;
  /** Leaves the page behind the dialog, because another account signs in or the user cancels. */
  readonly onLeave: () => void;
}

/** Signs the same user in again over the page they were on; the page keeps its state meanwhile. */
export default function ExpiredDialog({ manifest, ending, onLeave }: ExpiredDialogProps) {
  const t = useTranslation();
  const dialog = useRef<HTMLDialogElement>(null);

  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    document.title = t('signIn.title');
  }, [t]);

  return (
    <dialog ref={dialog} className={styles.dialog} aria-label={t('signIn.expired')} onCancel={(event) => event.preventDefault()}>
      <SignIn
        manifest={manifest}
        onTyping={() => undefined}
        isOpening={false}
        isReauthentication
        onSignedIn={() => undefined}
        back={returnToAddress}
        heading={
          <>
            <h1>{t('signIn.expired')}</h1>
            {ending && ending !== 'logged-out' && (
              <WithTexts part={signInMethodTexts}>
                <EndingReason ending={ending} />
              </WithTexts>
            )}
            <p className={styles.hint}>{t('signIn.expiredKept')}</p>
          </>
        }
      />
      <button type="button" className={styles.leave} onClick={onLeave}>
        {t('signIn.switchAccount')}
      </button>
    </dialog>
  );
}

const messages = {
  'ended-elsewhere': 'signInMethods.endedElsewhere',
  kicked: 'signInMethods.kicked',
  'password-changed': 'signInMethods.passwordChanged',
  reused: 'signInMethods.reused',
  'access-withdrawn': 'signInMethods.accessWithdrawn',
  'tenant-suspended': 'signInMethods.tenantSuspended',
} as const;

function EndingReason({ ending }: { readonly ending: Exclude<SessionEnding, 'logged-out'> }) {
  const t = useTranslation();
  return (
    <p className={styles.reason} role="alert">
      {t(messages[ending])}
    </p>
  );
}
