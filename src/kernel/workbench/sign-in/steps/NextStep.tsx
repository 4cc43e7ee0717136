import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { secondFactorProblems } from '#shared/second-factor';
import { useService } from '../../../base/react/services.tsx';
import { hasPasskeys } from '../../../platform/browser/passkey-support.ts';
import { signInMethodTexts, type TextKey } from '../../../platform/i18n/texts.ts';
import { useTranslation } from '../../../platform/i18n/use-translation.ts';
import { WithTexts } from '../../../platform/i18n/WithTexts.tsx';
import { type SecondFactorRequest, Session } from '../../../platform/session/session.ts';
import { TextField } from '../../../ui/fields/TextField.tsx';
import styles from '../styles/SignInPage.module.css';
import { PasskeySignIn } from './PasskeySignIn.tsx';
import { StepActions, StepButton, StepForm, StepHeading } from './StepParts.tsx';
import { type HandledStep, type SignInMethod, SignInMethodList, type SignInStep, type SignInStepProps } from './sign-in-method.ts';

type StepProps = Omit<SignInStepProps, 'guest' | 'returned' | 'provider'>;

/** Renders every step of signing in other than account and password. */
export default function NextStep({ step, ...props }: StepProps & { readonly step: Exclude<SignInStep, { kind: 'account' }> }) {
  if (step.kind === 'secondFactor') return <SecondFactorStep {...props} token={step.token} methods={step.methods} />;
  if (step.kind === 'method') {
    const { method, provider } = step;
    return method.Step && <method.Step key={provider?.source} {...props} {...(provider ? { provider } : {})} />;
  }
  return <MethodStep step={step} {...props} />;
}

/** Renders the step of the method that handles it; without such a method the account and the password are asked for. */
function MethodStep({ step: { kind, ...stepProps }, ...props }: StepProps & { readonly step: HandledStep }) {
  const list = useService(SignInMethodList);
  const [methods, setMethods] = useState<readonly SignInMethod[]>();
  useEffect(() => {
    list.load().then(setMethods, () => setMethods([]));
  }, [list]);
  const name = kind === 'return' ? 'ReturnStep' : 'GuestStep';
  const Step = methods?.find((method) => method[name])?.[name];
  const isMissing = methods !== undefined && !Step;
  const { onStep } = props;
  useEffect(() => {
    if (isMissing) onStep({ kind: 'account' });
  }, [isMissing, onStep]);
  if (!methods) return <div className={styles.stepPlaceholder} />;
  return Step && <Step {...stepProps} {...props} />;
}

/** Number of digits in an authenticator's code; the last digit submits the form. */
const digits = 6;

interface SecondFactorStepProps extends Pick<SignInStepProps, 'tenant' | 'isOpening' | 'onSignedIn' | 'onStep'>, SecondFactorRequest {}

/** Asks for a passkey, for the code of the authenticator app, or for a recovery code where the app is lost. */
function SecondFactorStep(props: SecondFactorStepProps) {
  const { methods, onStep } = props;
  const hasCode = methods.includes('totp');
  const hasPasskey = methods.includes('passkey');
  const [byPasskey, setByPasskey] = useState(hasPasskey && (hasPasskeys() || !hasCode));
  return (
    <WithTexts part={signInMethodTexts} fallback={<div className={styles.stepPlaceholder} />}>
      {byPasskey ? (
        <PasskeySignIn {...props}>
          <OtherFactors onChange={hasCode ? () => setByPasskey(false) : undefined} label="signInMethods.useApp" onStep={onStep} />
        </PasskeySignIn>
      ) : (
        <CodeForm {...props} onPasskey={hasPasskey ? () => setByPasskey(true) : undefined} />
      )}
    </WithTexts>
  );
}

interface OtherFactorsProps extends Pick<SignInStepProps, 'onStep'> {
  readonly onChange: (() => void) | undefined;
  /** Label of the button that changes the factor. */
  readonly label: TextKey;
}

function OtherFactors({ onChange, label, onStep }: OtherFactorsProps) {
  const t = useTranslation();
  return (
    <StepActions>
      {onChange && <StepButton onClick={onChange}>{t(label)}</StepButton>}
      <StepButton onClick={() => onStep({ kind: 'account' })}>{t('signIn.backToSignIn')}</StepButton>
    </StepActions>
  );
}

interface CodeFormProps extends SecondFactorStepProps {
  /** Changes to a passkey; undefined if the account has none. */
  readonly onPasskey: (() => void) | undefined;
}

function CodeForm({ token, tenant, isOpening, onSignedIn, onStep, onPasskey }: CodeFormProps) {
  const t = useTranslation();
  const session = useService(Session);
  const field = useRef<HTMLInputElement>(null);
  const failureId = useId();
  const [code, setCode] = useState('');
  const [isRecovery, setIsRecovery] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);

  const send = async (typed: string) => {
    if (isBusy || isOpening) return;
    setFailure(undefined);
    setProblem(typed === '' ? t(isRecovery ? 'signInMethods.enterRecoveryCode' : 'signInMethods.enterSecondFactor') : undefined);
    if (typed === '') return field.current?.focus();
    setIsBusy(true);
    const outcome = await session.signInBy({ grant_type: 'totp', tenantId: tenant.tenantId, mfa_token: token, code: typed });
    setIsBusy(false);
    if (outcome.success) return onSignedIn();
    if ((secondFactorProblems.tokenSpent.message as readonly string[]).includes(outcome.message)) return onStep({ kind: 'account' }, outcome.message);
    setFailure(outcome.message);
    setCode('');
    field.current?.focus();
  };
  const onType = (value: string) => {
    setCode(value);
    setProblem(undefined);
    const compact = value.replace(/\s/g, '');
    if (!isRecovery && /^\d+$/.test(compact) && compact.length === digits) void send(compact);
  };
  const toggleRecovery = () => {
    setIsRecovery(!isRecovery);
    setCode('');
    setProblem(undefined);
    setFailure(undefined);
    field.current?.focus();
  };

  return (
    <>
      <StepHeading title={t('signInMethods.secondFactorTitle')} hint={t(isRecovery ? 'signInMethods.recoveryHint' : 'signInMethods.secondFactorHint')} />
      <StepForm
        failure={failure}
        failureId={failureId}
        isBusy={isBusy || isOpening}
        submit={t(isOpening ? 'signIn.opening' : isBusy ? 'signInMethods.verifying' : 'signInMethods.verify')}
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          void send(code.trim());
        }}
      >
        <TextField
          ref={field}
          name="code"
          label={t(isRecovery ? 'signInMethods.recoveryCode' : 'signInMethods.secondFactorCode')}
          value={code}
          onChange={onType}
          inputMode={isRecovery ? 'text' : 'numeric'}
          autoComplete={isRecovery ? 'off' : 'one-time-code'}
          autoCapitalize="off"
          spellCheck={false}
          autoFocus
          maxLength={isRecovery ? 32 : 7}
          describedBy={failure && failureId}
          problem={problem}
        />
      </StepForm>
      <StepActions>
        <StepButton onClick={toggleRecovery}>{t(isRecovery ? 'signInMethods.useApp' : 'signInMethods.useRecoveryCode')}</StepButton>
        {onPasskey && <StepButton onClick={onPasskey}>{t('signInMethods.usePasskey')}</StepButton>}
        <StepButton onClick={() => onStep({ kind: 'account' })}>{t('signIn.backToSignIn')}</StepButton>
      </StepActions>
    </>
  );
}
