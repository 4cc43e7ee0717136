import { type FormEvent, useId, useMemo, useRef, useState } from 'react';
import { authProblems } from '#shared/auth';
import { useText } from '../i18n/use-words.ts';
import { useService } from '../services.tsx';
import { PasswordField } from '../shell/PasswordField.tsx';
import { SubmitButton } from '../shell/SubmitButton.tsx';
import { TextField } from '../shell/TextField.tsx';
import { JsonStorage } from '../storage.ts';
import { useCaptcha } from './captcha.ts';
import { SignInCaptcha } from './SignInCaptcha.tsx';
import styles from './SignInPage.module.css';
import { Session } from './session.ts';

const defaultTenant = '000000';
const rememberedAccount = 'account';

interface SignInFormProps {
  /** Begins what is kept in browser storage. */
  readonly prefix: string;
  readonly onTyping: () => void;
  readonly isOpening: boolean;
  /** Told the password that was used, for the one case where it must be changed at once. */
  readonly onSignedIn: (password: string) => void;
}

/** Account, password and code. What is missing is said at its field, what the server refuses below them. */
export function SignInForm({ prefix, onTyping, isOpening, onSignedIn }: SignInFormProps) {
  const text = useText();
  const session = useService(Session);
  const storage = useMemo(() => new JsonStorage(localStorage, prefix), [prefix]);
  const captcha = useCaptcha();
  const form = useRef<HTMLFormElement>(null);
  const [entered, setEntered] = useState(() => ({ username: storage.read<string>(rememberedAccount) ?? '', password: '', code: '' }));
  const [isChecked, setChecked] = useState(false);
  const failureId = useId();
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const isMissing = { username: entered.username.trim() === '', password: entered.password === '', code: captcha.isAsked && entered.code.trim() === '' };
  const first = (['username', 'password', 'code'] as const).find((name) => isMissing[name]);

  const point = (name: string) => form.current?.querySelector<HTMLInputElement>(`[name=${name}]`)?.focus();
  const enter = (name: keyof typeof entered) => (value: string) => {
    onTyping();
    setEntered((before) => ({ ...before, [name]: value }));
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy || isOpening) return;
    setChecked(true);
    setFailure(undefined);
    if (first) return point(first);
    setBusy(true);
    const username = entered.username.trim();
    const outcome = await session
      .signIn({
        tenantId: defaultTenant,
        username,
        password: entered.password,
        ...(captcha.isAsked ? { captcha: { key: captcha.key, code: entered.code.trim() } } : {}),
      })
      .catch(() => ({ success: false as const, message: text('signIn.unreachable') }));
    setBusy(false);
    if (outcome.success) {
      storage.write(rememberedAccount, username);
      return onSignedIn(entered.password);
    }
    setFailure(outcome.message);
    setChecked(false);
    setEntered((before) => ({ ...before, code: '' }));
    if (captcha.isAsked) captcha.reload();
    point(captcha.isAsked && (authProblems.wrongCaptcha.words as readonly string[]).includes(outcome.message) ? 'code' : 'password');
  };

  return (
    <form ref={form} className={styles.form} onSubmit={submit} noValidate>
      <TextField
        name="username"
        label={text('signIn.account')}
        value={entered.username}
        onChange={enter('username')}
        autoComplete="username"
        autoCapitalize="off"
        spellCheck={false}
        autoFocus={entered.username === ''}
        problem={isChecked && isMissing.username ? text('signIn.enterAccount') : undefined}
      />
      <PasswordField
        name="password"
        label={text('signIn.password')}
        value={entered.password}
        onChange={enter('password')}
        autoComplete="current-password"
        autoFocus={entered.username !== ''}
        describedBy={failure && failureId}
        problem={isChecked && isMissing.password ? text('signIn.enterPassword') : undefined}
      />
      {captcha.isAsked && (
        <SignInCaptcha
          captcha={captcha}
          value={entered.code}
          onChange={enter('code')}
          describedBy={failure && failureId}
          problem={isChecked && isMissing.code ? text('signIn.enterCode') : undefined}
        />
      )}
      {/* Its toast is what announces it; here it describes the field the focus goes back to. */}
      <p id={failureId} className={styles.failure}>
        {failure}
      </p>
      <SubmitButton isBusy={isBusy || isOpening}>{text(isOpening ? 'signIn.opening' : isBusy ? 'signIn.submitting' : 'signIn.submit')}</SubmitButton>
    </form>
  );
}
