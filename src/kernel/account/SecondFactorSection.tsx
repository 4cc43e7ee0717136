import { Suspense, useState } from 'react';
import { secondFactor } from '#shared/second-factor';
import { useQuery } from '../platform/http/use-query.ts';
import { useText } from '../platform/i18n/use-words.ts';
import { part } from '../ui/loading/part.tsx';
import styles from './AccountPage.module.css';
import { LoadedPart } from './LoadedPart.tsx';
import type { SecondFactorChange } from './SecondFactorDialog.tsx';

const SecondFactorDialog = part(() => import('./SecondFactorDialog.tsx'));

/** Shows whether signing in takes a code of an authenticator app, with the actions that change it. */
export function SecondFactorSection() {
  const text = useText();
  const asked = useQuery(secondFactor.status, {});
  const [errand, setErrand] = useState<SecondFactorChange>();
  const button = (of: SecondFactorChange, danger = false) => (
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
