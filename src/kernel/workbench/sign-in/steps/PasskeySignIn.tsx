import { type FormEvent, type ReactNode, useEffect, useId } from 'react';
import { passkeys } from '#shared/passkeys';
import { useService } from '../../../base/react/services.tsx';
import { Http } from '../../../platform/http/http.ts';
import { signInMethodTexts } from '../../../platform/i18n/texts.ts';
import { useTranslation } from '../../../platform/i18n/use-translation.ts';
import { WithTexts } from '../../../platform/i18n/WithTexts.tsx';
import { Session } from '../../../platform/session/session.ts';
import styles from '../styles/SignInPage.module.css';
import { StepForm, StepHeading } from './StepParts.tsx';
import type { SignInStepProps } from './sign-in-method.ts';
import { usePasskeyAttempt } from './use-passkey-attempt.ts';
import { useSignInAttempt } from './use-sign-in-attempt.ts';

interface PasskeySignInProps extends Pick<SignInStepProps, 'tenant' | 'isOpening' | 'onSignedIn' | 'onStep'> {
  /** Token of a sign-in whose password was right; without it the passkey signs in alone. */
  readonly token?: string;
  /** Ways out of this step. */
  readonly children?: ReactNode;
}

/** Signs in with a passkey, alone or after the password; the browser shows its own dialog at once. */
export function PasskeySignIn(props: PasskeySignInProps) {
  return (
    <WithTexts part={signInMethodTexts} fallback={<div className={styles.stepPlaceholder} />}>
      <PasskeyForm {...props} />
    </WithTexts>
  );
}

function PasskeyForm({ token, children, ...props }: PasskeySignInProps) {
  const { tenant, isOpening } = props;
  const t = useTranslation();
  const http = useService(Http);
  const session = useService(Session);
  const failureId = useId();
  const { failure, signIn } = useSignInAttempt(props, 'passkey');
  const second = token === undefined ? {} : { mfa_token: token };
  const passkey = usePasskeyAttempt(
    () =>
      token === undefined ? http.send(passkeys.beginSignIn, {}, { quiet: true }) : http.send(passkeys.beginSecondFactor, { mfa_token: token }, { quiet: true }),
    (answer) => signIn(() => session.signInBy({ grant_type: 'passkey', tenantId: tenant.tenantId, ...second, ...answer })),
  );
  const { isBusy, start } = passkey;
  useEffect(start, [start]);
  return (
    <>
      <StepHeading
        title={t(token === undefined ? 'signInMethods.passkeyTitle' : 'signInMethods.secondFactorTitle')}
        hint={t(token === undefined ? 'signInMethods.passkeyHint' : 'signInMethods.passkeySecondHint')}
      />
      <StepForm
        failure={passkey.failure ?? failure}
        failureId={failureId}
        announces={passkey.failure !== undefined}
        isBusy={isBusy || isOpening}
        submit={t(isOpening ? 'signIn.opening' : isBusy ? 'signInMethods.passkeyWaiting' : 'signInMethods.usePasskey')}
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          start();
        }}
      >
        {null}
      </StepForm>
      {children}
    </>
  );
}
