import { useEffect, useRef } from 'react';
import { useService } from '../../../base/react/services.tsx';
import { useTranslation } from '../../../platform/i18n/use-translation.ts';
import type { ProviderReturn } from '../../../platform/session/identity-returns.ts';
import { Session, type SignInGrant } from '../../../platform/session/session.ts';
import stepStyles from '../styles/NextStep.module.css';
import styles from '../styles/SignInPage.module.css';
import type { StepProps } from './NextStep.tsx';
import { StepHeading } from './StepHeading.tsx';
import { sourceWords } from './source-messages.ts';
import { useEntry } from './use-entry.ts';

/** Signs in with the parameters a provider sent back; after a failure it shows the reason and a way back. */
export function OAuthCallbackStep(props: StepProps & { readonly returned: ProviderReturn }) {
  const { returned, isOpening, tenant, onStep, onLeaveFor } = props;
  const t = useTranslation();
  const session = useService(Session);
  const source = useTranslation()(sourceWords(returned.source));
  const { failure, enter } = useEntry(props, returned.source);
  const isIncomplete = returned.code === '' || returned.state === '';
  const refusal = returned.error === 'access_denied' ? t('ways.returnCancelled') : isIncomplete ? t('ways.returnIncomplete') : undefined;
  const hasBegun = useRef(false);

  useEffect(() => {
    if (hasBegun.current || refusal) return;
    hasBegun.current = true;
    void enter(() => session.signInBy(grantOf(returned, tenant.tenantId)));
  }, [refusal, enter, session, returned, tenant.tenantId]);

  const why = refusal ?? failure;
  const again = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (why) again.current?.focus();
  }, [why]);
  if (why === undefined || isOpening) {
    return (
      <div className={stepStyles.returning} role="status">
        <span className={stepStyles.spinner} aria-hidden="true" />
        {t('ways.returning', { source })}
      </div>
    );
  }
  return (
    <>
      <StepHeading title={t('ways.returnFailed', { source })} />
      <p className={styles.notice} role="alert">
        {why}
      </p>
      <div className={stepStyles.backs}>
        <button ref={again} type="button" className={stepStyles.again} onClick={() => onLeaveFor(returned.source)}>
          {t('ways.tryAgain')}
        </button>
        <button type="button" className={styles.back} onClick={() => onStep({ kind: 'account' })}>
          {t('signIn.backToSignIn')}
        </button>
      </div>
    </>
  );
}

function grantOf({ source, code, state, iss, address }: ProviderReturn, tenantId: string): SignInGrant {
  if (source !== 'sso') return { grant_type: 'social', tenantId, source, code, state };
  return { grant_type: 'authorization_code', tenantId, code, state, redirect_uri: address, ...(iss ? { iss } : {}) };
}
