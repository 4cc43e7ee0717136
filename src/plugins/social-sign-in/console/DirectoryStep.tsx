import { type FormEvent, useId, useRef, useState } from 'react';
import { PasswordField, Session, type SignInStepProps, StepForm, TenantField, TextField, useService, useSignInAttempt, useTranslation } from '#kernel';
import styles from './DirectoryStep.module.css';
import { directoryMessages } from './messages.ts';

/** Signs in with account and password of a directory of the tenant. */
export default function DirectoryStep(props: SignInStepProps) {
  return props.provider && <DirectoryForm {...props} provider={props.provider} />;
}

function DirectoryForm(props: SignInStepProps & Required<Pick<SignInStepProps, 'provider'>>) {
  const { provider, tenant, isOpening, onTyping } = props;
  const t = useTranslation();
  const session = useService(Session);
  const form = useRef<HTMLFormElement>(null);
  const failureId = useId();
  const [values, setValues] = useState({ username: '', password: '' });
  const [isChecked, setIsChecked] = useState(false);
  const { failure, isBusy, signIn } = useSignInAttempt(props, provider.source);
  const isMissing = { username: values.username.trim() === '', password: values.password === '' };

  const focusField = (name: string) => form.current?.querySelector<HTMLInputElement>(`[name=${name}]`)?.focus();
  const setValue = (name: keyof typeof values) => (value: string) => {
    onTyping();
    setValues((before) => ({ ...before, [name]: value }));
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy || isOpening) return;
    setIsChecked(true);
    const missing = tenant.isAsked && tenant.tenantId === '' ? 'tenant' : isMissing.username ? 'username' : isMissing.password ? 'password' : undefined;
    if (missing) return focusField(missing);
    const { tenantId } = tenant;
    const grant = { grant_type: 'ldap', tenantId, source: provider.source, username: values.username.trim(), password: values.password };
    if (await signIn(() => session.signInBy(grant))) return;
    setIsChecked(false);
    setValues((before) => ({ ...before, password: '' }));
    focusField('password');
  };

  return (
    <StepForm
      ref={form}
      failure={failure}
      failureId={failureId}
      isBusy={isBusy || isOpening}
      submit={t(isOpening ? 'signIn.opening' : isBusy ? 'signIn.submitting' : 'signIn.submit')}
      onSubmit={submit}
    >
      <p className={styles.provider}>{t(directoryMessages.signInWith, { name: provider.name })}</p>
      {tenant.isAsked && <TenantField tenant={tenant} isMissing={isChecked && tenant.tenantId === ''} />}
      <TextField
        name="username"
        label={t('signIn.account')}
        value={values.username}
        onChange={setValue('username')}
        autoComplete="username"
        autoCapitalize="off"
        spellCheck={false}
        autoFocus
        problem={isChecked && isMissing.username ? t('signIn.enterAccount') : undefined}
      />
      <PasswordField
        name="password"
        label={t('signIn.password')}
        value={values.password}
        onChange={setValue('password')}
        autoComplete="current-password"
        describedBy={failure && failureId}
        problem={isChecked && isMissing.password ? t('signIn.enterPassword') : undefined}
      />
    </StepForm>
  );
}
