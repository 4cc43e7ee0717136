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

interface PasswordEntry {
  readonly oldPassword: string;
  readonly newPassword: string;
  readonly newPassword1: string;
}

type Problems = { readonly [Field in keyof PasswordEntry]?: TextKey };

const order = ['oldPassword', 'newPassword', 'newPassword1'] as const;
const emptyEntry: PasswordEntry = { oldPassword: '', newPassword: '', newPassword1: '' };

/** Sets a new password for the signed-in user. The old one is asked for unless it is known, as right after signing in with it. */
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
  const { name } = useService(Branding);
  const form = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState(emptyEntry);
  const [problems, setProblems] = useState<Problems>({});
  const failureId = useId();
  const oldPassword = knownPassword ?? values.oldPassword;
  const { user } = session;
  const about = [user?.account, user?.nick_name, user?.real_name, user?.tenant_id, name];

  const focusField = (field: keyof PasswordEntry) => form.current?.querySelector<HTMLInputElement>(`[name=${field}]`)?.focus();
  const change = async () => {
    const found = problemsOf({ ...values, oldPassword }, about);
    setProblems(found);
    const first = order.find((name) => found[name]);
    if (first) {
      focusField(first);
      return false;
    }
    const outcome = await session.changePassword(oldPassword, values.newPassword, values.newPassword1);
    if (outcome.success) setValues(emptyEntry);
    else {
      const isOldWrong = (authProblems.wrongOldPassword.message as readonly string[]).includes(outcome.message);
      focusField(isOldWrong && knownPassword === undefined ? 'oldPassword' : 'newPassword');
    }
    return outcome;
  };
  const { isPending, error: failure, mutate } = useMutation(change, { onSuccess: onChanged });
  const field = (name: keyof PasswordEntry) => ({
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
      <PasswordRules password={values.newPassword} about={about} />
      <PasswordField {...field('newPassword1')} label={t('signIn.newPasswordAgain')} autoComplete="new-password" />
      <p id={failureId} className={styles.failure}>
        {failure}
      </p>
      <SubmitButton isBusy={isPending}>{t(isPending ? 'signIn.saving' : 'signIn.savePassword')}</SubmitButton>
    </form>
  );
}

function problemsOf({ oldPassword, newPassword, newPassword1 }: PasswordEntry, about: readonly (string | undefined)[]): Problems {
  const old = oldPassword === '' ? 'signIn.enterOldPassword' : undefined;
  const weak = passwordWeakness(newPassword, about) && 'signIn.weakPassword';
  const same = newPassword === oldPassword ? 'signIn.samePassword' : undefined;
  const fresh = newPassword === '' ? 'signIn.enterNewPassword' : (weak ?? same);
  const again = newPassword1 === '' ? 'signIn.enterNewPasswordAgain' : newPassword1 === newPassword ? undefined : 'signIn.passwordsDiffer';
  return { ...(old && { oldPassword: old }), ...(fresh && { newPassword: fresh }), ...(again && { newPassword1: again }) };
}
