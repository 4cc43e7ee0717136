import { type FormEvent, useId, useRef, useState } from 'react';
import { authProblems } from '#shared/auth';
import { Session } from '../auth/session.ts';
import type { TextKey } from '../i18n/texts.ts';
import { useText } from '../i18n/use-words.ts';
import { useService } from '../services.tsx';
import { Icon } from './Icon.tsx';
import { PasswordField } from './PasswordField.tsx';
import styles from './PasswordForm.module.css';
import { SubmitButton } from './SubmitButton.tsx';

interface Entered {
  readonly oldPassword: string;
  readonly newPassword: string;
  readonly newPassword1: string;
}

type Problems = { readonly [Field in keyof Entered]?: TextKey };

const order = ['oldPassword', 'newPassword', 'newPassword1'] as const;
const nothing: Entered = { oldPassword: '', newPassword: '', newPassword1: '' };

const rules = [
  { key: 'signIn.ruleLength', holds: (password: string) => password.length >= 8 },
  { key: 'signIn.ruleLetters', holds: (password: string) => /[a-z]/i.test(password) },
  { key: 'signIn.ruleDigits', holds: (password: string) => /\d/.test(password) },
] as const;

/** Sets a new password for oneself. The old one is asked for unless it is known, as right after signing in with it. */
export function PasswordForm({
  knownPassword,
  autoFocus = false,
  onChanged,
}: {
  readonly knownPassword?: string | undefined;
  readonly autoFocus?: boolean;
  readonly onChanged: () => void;
}) {
  const text = useText();
  const session = useService(Session);
  const form = useRef<HTMLFormElement>(null);
  const [entered, setEntered] = useState(nothing);
  const [problems, setProblems] = useState<Problems>({});
  const failureId = useId();
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const oldPassword = knownPassword ?? entered.oldPassword;

  const point = (field: keyof Entered) => form.current?.querySelector<HTMLInputElement>(`[name=${field}]`)?.focus();
  const field = (name: keyof Entered) => ({
    name,
    value: entered[name],
    problem: problems[name] && text(problems[name]),
    describedBy: failure && failureId,
    onChange: (value: string) => {
      setEntered({ ...entered, [name]: value });
      setProblems({ ...problems, [name]: undefined });
    },
  });

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const found = problemsOf({ ...entered, oldPassword });
    setProblems(found);
    setFailure(undefined);
    const first = order.find((name) => found[name]);
    if (first) return point(first);
    setBusy(true);
    const outcome = await session.changePassword(oldPassword, entered.newPassword, entered.newPassword1);
    setBusy(false);
    if (!outcome.success) {
      setFailure(outcome.message);
      return point(
        (authProblems.wrongOldPassword.words as readonly string[]).includes(outcome.message) && knownPassword === undefined ? 'oldPassword' : 'newPassword',
      );
    }
    setEntered(nothing);
    onChanged();
  };

  return (
    <form ref={form} className={styles.form} onSubmit={submit} noValidate>
      {knownPassword === undefined && (
        <PasswordField {...field('oldPassword')} label={text('signIn.oldPassword')} autoComplete="current-password" autoFocus={autoFocus} />
      )}
      <PasswordField
        {...field('newPassword')}
        label={text('signIn.newPassword')}
        autoComplete="new-password"
        autoFocus={autoFocus && knownPassword !== undefined}
      />
      <ul className={styles.rules}>
        {rules.map(({ key, holds }) => (
          <li key={key} data-holds={holds(entered.newPassword)}>
            <Icon name="check" size={14} />
            {text(key)}
          </li>
        ))}
      </ul>
      <PasswordField {...field('newPassword1')} label={text('signIn.newPasswordAgain')} autoComplete="new-password" />
      <p id={failureId} className={styles.failure}>
        {failure}
      </p>
      <SubmitButton isBusy={isBusy}>{text(isBusy ? 'signIn.saving' : 'signIn.savePassword')}</SubmitButton>
    </form>
  );
}

function problemsOf({ oldPassword, newPassword, newPassword1 }: Entered): Problems {
  const old = oldPassword === '' ? 'signIn.enterOldPassword' : undefined;
  const weak = rules.every(({ holds }) => holds(newPassword)) ? undefined : 'signIn.weakPassword';
  const same = newPassword === oldPassword ? 'signIn.samePassword' : undefined;
  const fresh = newPassword === '' ? 'signIn.enterNewPassword' : (weak ?? same);
  const again = newPassword1 === '' ? 'signIn.enterNewPasswordAgain' : newPassword1 === newPassword ? undefined : 'signIn.passwordsDiffer';
  return { ...(old && { oldPassword: old }), ...(fresh && { newPassword: fresh }), ...(again && { newPassword1: again }) };
}
