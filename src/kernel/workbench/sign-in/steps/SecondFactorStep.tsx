import { type FormEvent, useId, useRef, useState } from 'react';
import { secondFactorProblems } from '#shared/second-factor';
import { useService } from '../../../base/react/services.tsx';
import { useTranslation } from '../../../platform/i18n/use-translation.ts';
import { Session } from '../../../platform/session/session.ts';
import { SubmitButton } from '../../../ui/fields/SubmitButton.tsx';
import { TextField } from '../../../ui/fields/TextField.tsx';
import stepStyles from '../styles/NextStep.module.css';
import styles from '../styles/SignInPage.module.css';
import type { StepProps } from './NextStep.tsx';
import { StepHeading } from './StepHeading.tsx';

/** Number of digits in an authenticator's code; the last digit submits the form. */
const digits = 6;

interface SecondFactorStepProps extends StepProps {
  readonly token: string;
  readonly tenantId: string;
}

/** Asks for the code of the authenticator app, or for a recovery code where the app is lost. */
export function SecondFactorStep({ token, tenantId, isOpening, onSignedIn, onStep }: SecondFactorStepProps) {
  const t = useTranslation();
  const session = useService(Session);
  const field = useRef<HTMLInputElement>(null);
  const failureId = useId();
  const [code, setCode] = useState('');
  const [recovers, setRecovers] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);

  const send = async (given: string) => {
    if (isBusy || isOpening) return;
    setFailure(undefined);
    setProblem(given === '' ? t(recovers ? 'ways.enterRecoveryCode' : 'ways.enterSecondFactor') : undefined);
    if (given === '') return field.current?.focus();
    setIsBusy(true);
    const outcome = await session.signInBy({ grant_type: 'totp', tenantId, mfa_token: token, code: given });
    setIsBusy(false);
    if (outcome.success) return onSignedIn();
    if ((secondFactorProblems.tokenSpent.message as readonly string[]).includes(outcome.message)) return onStep({ kind: 'account' }, outcome.message);
    setFailure(outcome.message);
    setCode('');
    field.current?.focus();
  };
  const type = (value: string) => {
    setCode(value);
    setProblem(undefined);
    const bare = value.replace(/\s/g, '');
    if (!recovers && /^\d+$/.test(bare) && bare.length === digits) void send(bare);
  };
  const change = () => {
    setRecovers(!recovers);
    setCode('');
    setProblem(undefined);
    setFailure(undefined);
    field.current?.focus();
  };

  return (
    <>
      <StepHeading title={t('ways.secondFactorTitle')} hint={t(recovers ? 'ways.recoveryHint' : 'ways.secondFactorHint')} />
      <form
        className={styles.form}
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          void send(code.trim());
        }}
      >
        <TextField
          ref={field}
          name="code"
          label={t(recovers ? 'ways.recoveryCode' : 'ways.secondFactorCode')}
          value={code}
          onChange={type}
          inputMode={recovers ? 'text' : 'numeric'}
          autoComplete={recovers ? 'off' : 'one-time-code'}
          autoCapitalize="off"
          spellCheck={false}
          autoFocus
          maxLength={recovers ? 32 : 7}
          describedBy={failure && failureId}
          problem={problem}
        />
        <p id={failureId} className={styles.failure}>
          {failure}
        </p>
        <SubmitButton isBusy={isBusy || isOpening}>{t(isOpening ? 'signIn.opening' : isBusy ? 'ways.verifying' : 'ways.verify')}</SubmitButton>
      </form>
      <div className={stepStyles.backs}>
        <button type="button" className={styles.back} onClick={change}>
          {t(recovers ? 'ways.useApp' : 'ways.useRecoveryCode')}
        </button>
        <button type="button" className={styles.back} onClick={() => onStep({ kind: 'account' })}>
          {t('signIn.backToSignIn')}
        </button>
      </div>
    </>
  );
}
