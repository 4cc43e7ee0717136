import { type FormEvent, useId, useRef, useState } from 'react';
import { useService } from '../base/react/services.tsx';
import { useTranslation } from '../platform/i18n/use-translation.ts';
import { Session } from '../platform/session/session.ts';
import { PasswordField } from '../ui/fields/PasswordField.tsx';
import { StepForm } from './StepForm.tsx';
import { useAttempt } from './use-attempt.ts';

interface ProofStepProps {
  readonly why: string;
  /** Resolves with an error message, or with `undefined` when the password was right. */
  readonly onProve: (password: string) => Promise<string | undefined>;
  readonly onClose: () => void;
}

/** Asks for the password again before the settings that protect the account change. */
export function ProofStep({ why, onProve, onClose }: ProofStepProps) {
  const t = useTranslation();
  const account = useService(Session).user?.account ?? '';
  const field = useRef<HTMLInputElement>(null);
  const failureId = useId();
  const [password, setPassword] = useState('');
  const [isMissing, setIsMissing] = useState(false);
  const { failure, isBusy, run } = useAttempt(onProve);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setIsMissing(password === '');
    if (password === '' || !(await run(password))) field.current?.focus();
  };
  return (
    <StepForm why={why} proceed={t('account.next')} {...{ failure, failureId, isBusy, onClose }} onSubmit={submit}>
      <input type="text" name="username" autoComplete="username" value={account} readOnly hidden />
      <PasswordField
        ref={field}
        name="password"
        label={t('account.confirmPassword')}
        value={password}
        onChange={setPassword}
        autoComplete="current-password"
        autoFocus
        describedBy={failure && failureId}
        problem={isMissing && password === '' ? t('account.enterPassword') : undefined}
      />
    </StepForm>
  );
}
