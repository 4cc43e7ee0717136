import { Suspense, useState } from 'react';
import { secondFactor } from '#shared/second-factor';
import { useText } from '../i18n/use-words.ts';
import { part } from '../part.tsx';
import { useAsked } from '../use-asked.ts';
import styles from './AccountPage.module.css';
import { LoadedPart } from './LoadedPart.tsx';
import type { Errand } from './SecondFactorDialog.tsx';

const SecondFactorDialog = part(() => import('./SecondFactorDialog.tsx'));

/** Whether signing in takes a code of an authenticator app, and what may be done about it. */
export function SecondFactorSection() {
  const text = useText();
  const asked = useAsked(secondFactor.status, {});
  const [errand, setErrand] = useState<Errand>();
  const button = (of: Errand, danger = false) => (
    <button type="button" className={styles.action} data-danger={danger} onClick={() => setErrand(of)}>
      {text(of === 'renew' ? 'account.renewCodes' : of === 'disable' ? 'account.disable' : 'account.enrol')}
    </button>
  );
  return (
    <LoadedPart asked={asked}>
      {({ isEnrolled, recoveryCodesLeft }) => (
        <div className={styles.state}>
          <span className={styles.tag} data-on={isEnrolled}>
            {text(isEnrolled ? 'account.isOn' : 'account.isOff')}
          </span>
          <span>{isEnrolled && text('account.codesLeft', { count: recoveryCodesLeft })}</span>
          {isEnrolled ? (
            <>
              {button('renew')}
              {button('disable', true)}
            </>
          ) : (
            button('enrol')
          )}
          <Suspense>
            {errand && (
              <SecondFactorDialog
                errand={errand}
                onClose={() => {
                  setErrand(undefined);
                  asked.reload();
                }}
              />
            )}
          </Suspense>
        </div>
      )}
    </LoadedPart>
  );
}
