import { Suspense, useState } from 'react';
import { secondFactor } from '#shared/second-factor';
import { useQuery } from '../platform/http/use-query.ts';
import { useTranslation } from '../platform/i18n/use-translation.ts';
import { lazyComponent } from '../ui/loading/part.tsx';
import styles from './AccountPage.module.css';
import { LoadedPart } from './LoadedPart.tsx';
import type { SecondFactorChange } from './SecondFactorDialog.tsx';

const SecondFactorDialog = lazyComponent(() => import('./SecondFactorDialog.tsx'));

/** Shows whether signing in takes a code of an authenticator app, with the actions that change it. */
export function SecondFactorSection() {
  const t = useTranslation();
  const asked = useQuery(secondFactor.status, {}, { quiet: true });
  const [errand, setErrand] = useState<SecondFactorChange>();
  const button = (of: SecondFactorChange, danger = false) => (
    <button type="button" className={styles.action} data-danger={danger} onClick={() => setErrand(of)}>
      {t(of === 'renew' ? 'account.renewCodes' : of === 'disable' ? 'account.disable' : 'account.enrol')}
    </button>
  );
  return (
    <LoadedPart asked={asked}>
      {({ isEnrolled, recoveryCodesLeft }) => (
        <div className={styles.state}>
          <span className={styles.tag} data-on={isEnrolled}>
            {t(isEnrolled ? 'account.isOn' : 'account.isOff')}
          </span>
          <span>{isEnrolled && t('account.codesLeft', { count: recoveryCodesLeft })}</span>
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
                  asked.refetch();
                }}
              />
            )}
          </Suspense>
        </div>
      )}
    </LoadedPart>
  );
}
