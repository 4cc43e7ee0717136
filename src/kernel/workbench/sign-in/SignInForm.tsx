import { type FormEvent, Suspense, useId, useMemo, useRef, useState } from 'react';
import { authProblems } from '#shared/auth';
import { useService } from '../../base/react/services.tsx';
import { JsonStorage } from '../../platform/browser/storage.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import type { Invitation } from '../../platform/session/invitation.ts';
import { Session } from '../../platform/session/session.ts';
import { PasswordField } from '../../ui/fields/PasswordField.tsx';
import { SubmitButton } from '../../ui/fields/SubmitButton.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { lazyComponent } from '../../ui/loading/lazy-component.tsx';
import { CaptchaProof } from './proof/CaptchaProof.tsx';
import { useCaptcha, useDeferredSubmit } from './proof/captcha.ts';
import type { SignInStep } from './steps/sign-in-method.ts';
import type { SignInTenant } from './steps/sign-in-tenant.ts';
import styles from './styles/SignInPage.module.css';

const TenantField = lazyComponent(async () => ({ default: (await import('./steps/TenantField.tsx')).TenantField }));
const accountKey = 'account';

interface SignInFormProps {
  /** Prefix of the keys in browser storage. */
  readonly prefix: string;
  readonly tenant: SignInTenant;
  /** Provides the account and the password, so that the user only has to confirm. */
  readonly invitation?: Invitation | undefined;
  readonly onTyping: () => void;
  readonly isOpening: boolean;
  /** Receives the password that was used, in case it must be changed at once. */
  readonly onSignedIn: (password: string) => void;
  readonly onStep: (step: SignInStep) => void;
}

/** Form for account, password and captcha. Missing input is reported at its field, a refusal by the server below the fields. */
export function SignInForm({ prefix, tenant, invitation, onTyping, isOpening, onSignedIn, onStep }: SignInFormProps) {
  const t = useTranslation();
  const session = useService(Session);
  const storage = useMemo(() => new JsonStorage(localStorage, prefix), [prefix]);
  const captcha = useCaptcha();
  const form = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState(() => ({
    username: invitation?.account ?? storage.read<string>(accountKey) ?? '',
    password: invitation?.password ?? '',
    code: '',
  }));
  const [isChecked, setIsChecked] = useState(false);
  const failureId = useId();
  const [failure, setFailure] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const { isDeferred, defer } = useDeferredSubmit(form, captcha, values.code);
  const isMissing = {
    tenant: tenant.isAsked && tenant.tenantId === '',
    username: values.username.trim() === '',
    password: values.password === '',
    code: captcha.isAsked && (captcha.key === '' || values.code.trim() === ''),
  };
  const firstMissing = (['tenant', 'username', 'password', 'code'] as const).find((name) => isMissing[name]);

  const focusField = (name: string) => form.current?.querySelector<HTMLInputElement>(`[name=${name}]`)?.focus();
  const enter = (name: keyof typeof values) => (value: string) => {
    onTyping();
    setValues((before) => ({ ...before, [name]: value }));
  };
  const renewCode = () => {
    setValues((before) => ({ ...before, code: '' }));
    captcha.reload();
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy || isOpening) return;
    setIsChecked(true);
    setFailure(undefined);
    if (firstMissing === 'code' && captcha.byWork) return defer();
    if (firstMissing) return focusField(firstMissing);
    setIsBusy(true);
    const username = values.username.trim();
    const { tenantId } = tenant;
    const outcome = await session
      .signIn({ tenantId, username, password: values.password, ...(captcha.isAsked ? { captcha: { key: captcha.key, code: values.code.trim() } } : {}) })
      .catch(() => ({ success: false as const, message: t('signIn.unreachable') }));
    setIsBusy(false);
    const isPasswordRight = outcome.success || 'secondFactor' in outcome;
    if (isPasswordRight) storage.write(accountKey, username);
    if (outcome.success) return onSignedIn(values.password);
    if ('secondFactor' in outcome && outcome.secondFactor) return onStep({ kind: 'secondFactor', ...outcome.secondFactor });
    setFailure(invitation ? t('signIn.invitationInvalid') : outcome.message);
    setIsChecked(false);
    if (captcha.isAsked) renewCode();
    focusField(captcha.isAsked && (authProblems.wrongCaptcha.message as readonly string[]).includes(outcome.message) ? 'code' : 'password');
  };

  return (
    <form ref={form} className={styles.form} onSubmit={submit} noValidate>
      {tenant.isAsked && !invitation && (
        <Suspense fallback={<div className={styles.fieldPlaceholder} />}>
          <TenantField tenant={tenant} isMissing={isChecked && isMissing.tenant} />
        </Suspense>
      )}
      <TextField
        name="username"
        label={t('signIn.account')}
        value={values.username}
        onChange={enter('username')}
        autoComplete="username"
        autoCapitalize="off"
        spellCheck={false}
        readOnly={invitation !== undefined}
        autoFocus={values.username === ''}
        problem={isChecked && isMissing.username ? t('signIn.enterAccount') : undefined}
      />
      {!invitation && (
        <PasswordField
          name="password"
          label={t('signIn.password')}
          value={values.password}
          onChange={enter('password')}
          autoComplete="current-password"
          autoFocus={values.username !== ''}
          describedBy={failure && failureId}
          problem={isChecked && isMissing.password ? t('signIn.enterPassword') : undefined}
        />
      )}
      {captcha.isAsked && (
        <CaptchaProof
          captcha={captcha}
          value={values.code}
          onChange={enter('code')}
          onRenew={renewCode}
          describedBy={failure && failureId}
          problem={isChecked && isMissing.code ? t(captcha.key === '' ? 'signIn.captchaLoading' : 'signIn.enterCode') : undefined}
        />
      )}
      {/* The toast announces the failure; this text describes the field that regains the focus. */}
      <p id={failureId} className={styles.failure}>
        {failure}
      </p>
      <SubmitButton isBusy={isBusy || isDeferred || isOpening}>
        {t(isOpening ? 'signIn.opening' : isBusy || isDeferred ? 'signIn.submitting' : invitation ? 'signIn.acceptInvitation' : 'signIn.submit')}
      </SubmitButton>
    </form>
  );
}
