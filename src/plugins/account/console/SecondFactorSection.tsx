import { Suspense, useState } from 'react';
import { ActionButton, LoadedPart, lazyComponent, useQuery, useTranslation } from '#kernel';
import { secondFactor } from '#shared/second-factor';
import { accountMessages } from './messages.ts';
import type { SecondFactorChange } from './SecondFactorDialog.tsx';
import styles from './sections.module.css';

const SecondFactorDialog = lazyComponent(() => import('./SecondFactorDialog.tsx'));

/** Shows whether signing in takes a code of an authenticator app, with the actions that change it. */
export function SecondFactorSection() {
  const t = useTranslation();
  const query = useQuery(secondFactor.status, {}, { quiet: true });
  const [change, setChange] = useState<SecondFactorChange>();
  const button = (change: SecondFactorChange, danger = false) => (
    <ActionButton {...(danger ? { variant: 'danger' } : {})} onClick={() => setChange(change)}>
      {t(change === 'renew' ? accountMessages.renewCodes : change === 'disable' ? accountMessages.disable : accountMessages.enrol)}
    </ActionButton>
  );
  return (
    <LoadedPart query={query}>
      {({ isEnrolled, recoveryCodesLeft }) => (
        <div className={styles.state}>
          <span className={styles.tag} data-on={isEnrolled}>
            {t(isEnrolled ? accountMessages.isOn : accountMessages.isOff)}
          </span>
          <span>{isEnrolled && t(accountMessages.codesLeft, { count: recoveryCodesLeft })}</span>
          {isEnrolled ? (
            <>
              {button('renew')}
              {button('disable', true)}
            </>
          ) : (
            button('enrol')
          )}
          <Suspense>
            {change && (
              <SecondFactorDialog
                change={change}
                onClose={() => {
                  setChange(undefined);
                  query.refetch();
                }}
              />
            )}
          </Suspense>
        </div>
      )}
    </LoadedPart>
  );
}
