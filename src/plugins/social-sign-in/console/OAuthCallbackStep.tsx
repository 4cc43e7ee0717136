import { useEffect, useRef } from 'react';
import {
  type ProviderReturn,
  Session,
  type SignInGrant,
  type SignInStepProps,
  StepActions,
  StepButton,
  StepHeading,
  StepNotice,
  useService,
  useSignInAttempt,
  useTranslation,
} from '#kernel';
import { sourceTitle } from '#shared/social';
import { words } from './messages.ts';
import styles from './OAuthCallbackStep.module.css';

/** Signs in with the parameters a provider sent back; after a failure it shows the reason and a way back. */
export default function OAuthCallbackStep(props: SignInStepProps) {
  return props.returned && <Returned {...props} returned={props.returned} />;
}

function Returned(props: SignInStepProps & { readonly returned: ProviderReturn }) {
  const { returned, isOpening, tenant, onStep, onLeaveFor } = props;
  const t = useTranslation();
  const session = useService(Session);
  const source = t(sourceTitle(returned.source));
  const { failure, enter } = useSignInAttempt(props, returned.source);
  const isIncomplete = returned.code === '' || returned.state === '';
  const refusal = returned.error === 'access_denied' ? t(words.cancelled) : isIncomplete ? t(words.incomplete) : undefined;
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
      <div className={styles.returning} role="status">
        <span className={styles.spinner} aria-hidden="true" />
        {t(words.returning, { source })}
      </div>
    );
  }
  return (
    <>
      <StepHeading title={t(words.failed, { source })} />
      <StepNotice role="alert">{why}</StepNotice>
      <StepActions>
        <StepButton ref={again} isPrimary onClick={() => onLeaveFor(returned.source)}>
          {t(words.tryAgain)}
        </StepButton>
        <StepButton onClick={() => onStep({ kind: 'account' })}>{t('signIn.backToSignIn')}</StepButton>
      </StepActions>
    </>
  );
}

function grantOf({ source, code, state, iss, address }: ProviderReturn, tenantId: string): SignInGrant {
  if (source !== 'sso') return { grant_type: 'social', tenantId, source, code, state };
  return { grant_type: 'authorization_code', tenantId, code, state, redirect_uri: address, ...(iss ? { iss } : {}) };
}
