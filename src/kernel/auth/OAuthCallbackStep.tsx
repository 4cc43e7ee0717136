import { useEffect, useRef } from 'react';
import { useText, useWords } from '../i18n/use-words.ts';
import { useService } from '../services.tsx';
import type { ProviderReturn } from './identity-returns.ts';
import stepStyles from './NextStep.module.css';
import type { StepProps } from './NextStep.tsx';
import styles from './SignInPage.module.css';
import { StepHeading } from './StepHeading.tsx';
import { Session, type SignInGrant } from './session.ts';
import { sourceWords } from './source-words.ts';
import { useEntry } from './use-entry.ts';

/** Signs in with the parameters a provider sent back; after a failure it shows the reason and a way back. */
export function OAuthCallbackStep(props: StepProps & { readonly returned: ProviderReturn }) {
  const { returned, isOpening, tenant, onStep, onLeaveFor } = props;
  const text = useText();
  const session = useService(Session);
  const source = useWords()(sourceWords(returned.source));
  const { failure, enter } = useEntry(props, returned.source);
  const isIncomplete = returned.code === '' || returned.state === '';
  const refusal = returned.error === 'access_denied' ? text('ways.returnCancelled') : isIncomplete ? text('ways.returnIncomplete') : undefined;
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
        {text('ways.returning', { source })}
      </div>
    );
  }
  return (
    <>
      <StepHeading title={text('ways.returnFailed', { source })} />
      <p className={styles.notice} role="alert">
        {why}
      </p>
      <div className={stepStyles.backs}>
        <button ref={again} type="button" className={stepStyles.again} onClick={() => onLeaveFor(returned.source)}>
          {text('ways.tryAgain')}
        </button>
        <button type="button" className={styles.back} onClick={() => onStep({ kind: 'account' })}>
          {text('signIn.backToSignIn')}
        </button>
      </div>
    </>
  );
}

function grantOf({ source, code, state, iss, address }: ProviderReturn, tenantId: string): SignInGrant {
  if (source !== 'sso') return { grant_type: 'social', tenantId, source, code, state };
  return { grant_type: 'authorization_code', tenantId, code, state, redirect_uri: address, ...(iss ? { iss } : {}) };
}
