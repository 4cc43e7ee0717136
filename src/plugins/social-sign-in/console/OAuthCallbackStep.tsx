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
import { callbackMessages } from './messages.ts';
import styles from './OAuthCallbackStep.module.css';

/** Signs in with the parameters a provider sent back; after a failure it shows the reason and a link to the start. */
export default function OAuthCallbackStep(props: SignInStepProps) {
  return props.returned && <CallbackResult {...props} returned={props.returned} />;
}

function CallbackResult(props: SignInStepProps & { readonly returned: ProviderReturn }) {
  const { returned, isOpening, tenant, onStep, onLeaveFor } = props;
  const t = useTranslation();
  const session = useService(Session);
  const source = providerName(tenant, returned.source) ?? t(sourceTitle(returned.source));
  const { failure, signIn } = useSignInAttempt(props, returned.source);
  const isIncomplete = returned.code === '' || returned.state === '';
  const refusal = returned.error === 'access_denied' ? t(callbackMessages.cancelled) : isIncomplete ? t(callbackMessages.incomplete) : undefined;
  const hasStarted = useRef(false);

  useEffect(() => {
    if (hasStarted.current || refusal) return;
    hasStarted.current = true;
    void signIn(() => session.signInBy(grantOf(returned, tenant.tenantId)));
  }, [refusal, signIn, session, returned, tenant.tenantId]);

  const reason = refusal ?? failure;
  const retryButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (reason) retryButton.current?.focus();
  }, [reason]);
  if (reason === undefined || isOpening) {
    return (
      <div className={styles.returning} role="status">
        <span className={styles.spinner} aria-hidden="true" />
        {t(callbackMessages.returning, { source })}
      </div>
    );
  }
  return (
    <>
      <StepHeading title={t(callbackMessages.failed, { source })} />
      <StepNotice role="alert">{reason}</StepNotice>
      <StepActions>
        <StepButton ref={retryButton} isPrimary onClick={() => onLeaveFor(returned.source)}>
          {t(callbackMessages.tryAgain)}
        </StepButton>
        <StepButton onClick={() => onStep({ kind: 'account' })}>{t('signIn.backToSignIn')}</StepButton>
      </StepActions>
    </>
  );
}

/** Returns the name of an identity provider of the tenant, once the server has listed them. */
const providerName = ({ offered }: SignInStepProps['tenant'], source: string): string | undefined =>
  offered?.flatMap(({ providers }) => providers).find((one) => one.source === source)?.name;

function grantOf({ source, code, state, iss, address }: ProviderReturn, tenantId: string): SignInGrant {
  if (source !== 'sso') return { grant_type: 'social', tenantId, source, code, state, ...(iss ? { iss } : {}) };
  return { grant_type: 'authorization_code', tenantId, code, state, redirect_uri: address, ...(iss ? { iss } : {}) };
}
