import { type FormEvent, useId, useRef, useState } from 'react';
import { authProblems } from '#shared/auth';
import { passwordWeakness } from '#shared/password-rules';
import { useService } from '../../base/react/services.tsx';
import { useMutation } from '../../platform/http/use-mutation.ts';
import type { TextKey } from '../../platform/i18n/texts.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { Session } from '../../platform/session/session.ts';
import { Branding } from '../../platform/theme/branding.ts';
import { PasswordField } from './PasswordField.tsx';
import styles from './PasswordForm.module.css';
import { PasswordRules } from './PasswordRules.tsx';
import { SubmitButton } from './SubmitButton.tsx';

interface PasswordValues {
  readonly oldPassword: string;
  readonly newPassword: string;
  readonly newPassword1: string;
}

type Problems = { readonly [Field in keyof PasswordValues]?: TextKey };

const fieldOrder = ['oldPassword', 'newPassword', 'newPassword1'] as const;
const emptyValues: PasswordValues = { oldPassword: '', newPassword: '', newPassword1: '' };

/** Sets a new password for the signed-in user. Asks for the old password unless `knownPassword` has it, as right after signing in. */
export function PasswordForm({
  knownPassword,
  autoFocus = false,
  onChanged,
}: {
  readonly knownPassword?: string | undefined;
  readonly autoFocus?: boolean;
  readonly onChanged: () => void;
}) {
  const t = useTranslation();
  const session = useService(Session);
  const { name: productName } = useService(Branding);
  const form = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState(emptyValues);
  const [problems, setProblems] = useState<Problems>({});
  const failureId = useId();
  const oldPassword = knownPassword ?? values.oldPassword;
  const { user } = session;
  const personalTexts = [user?.account, user?.nick_name, user?.real_name, user?.tenant_id, productName];

  const focusField = (field: keyof PasswordValues) => form.current?.querySelector<HTMLInputElement>(`[name=${field}]`)?.focus();
  const changePassword = async () => {
    const currentProblems = problemsOf({ ...values, oldPassword }, personalTexts);
    setProblems(currentProblems);
    const firstInvalid = fieldOrder.find((field) => currentProblems[field]);
    if (firstInvalid) {
      focusField(firstInvalid);
      return false;
    }
    const outcome = await session.changePassword(oldPassword, values.newPassword, values.newPassword1);
    if (outcome.success) setValues(emptyValues);
    else {
      const isOldPasswordWrong = (authProblems.wrongOldPassword.message as readonly string[]).includes(outcome.message);
      focusField(isOldPasswordWrong && knownPassword === undefined ? 'oldPassword' : 'newPassword');
    }
    return outcome;
  };
  const { isPending, error: failure, mutate } = useMutation(changePassword, { onSuccess: onChanged });
  const field = (name: keyof PasswordValues) => ({
    name,
    value: values[name],
    problem: problems[name] && t(problems[name]),
    describedBy: failure && failureId,
    onChange: (value: string) => {
      setValues({ ...values, [name]: value });
      setProblems({ ...problems, [name]: undefined });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void mutate();
  };

  return (
    <form ref={form} className={styles.form} onSubmit={submit} noValidate>
      {knownPassword === undefined && (
        <PasswordField {...field('oldPassword')} label={t('signIn.oldPassword')} autoComplete="current-password" autoFocus={autoFocus} />
      )}
      <PasswordField
        {...field('newPassword')}
        label={t('signIn.newPassword')}
        autoComplete="new-password"
        autoFocus={autoFocus && knownPassword !== undefined}
      />
      <PasswordRules password={values.newPassword} about={personalTexts} />
      <PasswordField {...field('newPassword1')} label={t('signIn.newPasswordAgain')} autoComplete="new-password" />
      <p id={failureId} className={styles.failure}>
        {failure}
      </p>
      <SubmitButton isBusy={isPending}>{t(isPending ? 'signIn.saving' : 'signIn.savePassword')}</SubmitButton>
    </form>
  );
}

function problemsOf({ oldPassword, newPassword, newPassword1 }: PasswordValues, personalTexts: readonly (string | undefined)[]): Problems {
  const oldProblem = oldPassword === '' ? 'signIn.enterOldPassword' : undefined;
  const newProblem = newPasswordProblem(newPassword, oldPassword, personalTexts);
  const confirmationProblem = newPassword1 === '' ? 'signIn.enterNewPasswordAgain' : newPassword1 === newPassword ? undefined : 'signIn.passwordsDiffer';
  return {
    ...(oldProblem && { oldPassword: oldProblem }),
    ...(newProblem && { newPassword: newProblem }),
    ...(confirmationProblem && { newPassword1: confirmationProblem }),
  };
}

function newPasswordProblem(newPassword: string, oldPassword: string, personalTexts: readonly (string | undefined)[]): TextKey | undefined {
  if (newPassword === '') return 'signIn.enterNewPassword';
  if (passwordWeakness(newPassword, personalTexts)) return 'signIn.weakPassword';
  return newPassword === oldPassword ? 'signIn.samePassword' : undefined;
}
