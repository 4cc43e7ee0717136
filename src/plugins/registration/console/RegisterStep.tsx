import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import {
  type Captcha,
  CaptchaProof,
  Http,
  type SignInStepProps,
  StepActions,
  StepButton,
  StepForm,
  StepHeading,
  StepNotice,
  TenantField,
  TextField,
  useCaptcha,
  useDeferredSubmit,
  useMutation,
  useService,
  useTranslation,
} from '#kernel';
import { oauth } from '#shared/auth';
import { fieldProblem } from '#shared/validation';
import { ApplicantPhone } from '../guest-contract.ts';
import { type AccountRequest, useAccountRequest } from './account-request.ts';
import { applicantMessages } from './messages.ts';
import { RegistrationFields } from './RegistrationFields.tsx';

/** Requests an account with a name and a password, where the deployment allows registration; an administrator decides. */
export default function RegisterStep({ tenant, onStep }: SignInStepProps) {
  const t = useTranslation();
  const [isDone, setIsDone] = useState(false);
  const back = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isDone) back.current?.focus();
  }, [isDone]);
  return (
    <>
      <StepHeading
        title={t(isDone ? applicantMessages.doneTitle : applicantMessages.registerTitle)}
        hint={isDone ? undefined : t(applicantMessages.registerHint)}
      />
      {isDone ? <StepNotice role="status">{t(applicantMessages.done)}</StepNotice> : <RegisterForm tenant={tenant} onDone={() => setIsDone(true)} />}
      <StepActions>
        <StepButton ref={back} onClick={() => onStep({ kind: 'account' })}>
          {t('signIn.backToSignIn')}
        </StepButton>
      </StepActions>
    </>
  );
}

function RegisterForm({ tenant, onDone }: Pick<SignInStepProps, 'tenant'> & { readonly onDone: () => void }) {
  const t = useTranslation();
  const form = useRef<HTMLFormElement>(null);
  const failureId = useId();
  const captcha = useCaptcha();
  const accountRequest = useAccountRequest();
  const [contact, setContact] = useState({ phone: '', email: '', code: '' });
  const [isChecked, setIsChecked] = useState(false);
  const { failure, isBusy, send } = useRegistration(tenant.tenantId);
  const { isDeferred, defer } = useDeferredSubmit(form, captcha, contact.code);
  const phoneProblem = fieldProblem(ApplicantPhone, contact.phone.trim(), false);
  const isCodeMissing = captcha.isAsked && (captcha.key === '' || contact.code.trim() === '');
  const isTenantMissing = tenant.isAsked && tenant.tenantId === '';
  const change = (field: keyof typeof contact) => (value: string) => setContact((before) => ({ ...before, [field]: value }));
  const renewCode = () => {
    change('code')('');
    captcha.reload();
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setIsChecked(true);
    const firstProblem = accountRequest.validateAll();
    const first = isTenantMissing ? 'tenant' : (firstProblem ?? (phoneProblem ? 'phone' : isCodeMissing ? 'code' : undefined));
    if (first === 'code' && captcha.byWork) return defer();
    if (first) return form.current?.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus();
    if (await send({ request: accountRequest.values, contact, captcha })) return onDone();
    setIsChecked(false);
    if (captcha.isAsked) renewCode();
  };
  const describedBy = failure && failureId;

  return (
    <StepForm
      ref={form}
      failure={failure}
      failureId={failureId}
      announces
      isBusy={isBusy || isDeferred}
      submit={t(isBusy || isDeferred ? applicantMessages.submitting : applicantMessages.submit)}
      onSubmit={submit}
    >
      {tenant.isAsked && <TenantField tenant={tenant} isMissing={isChecked && isTenantMissing} />}
      <RegistrationFields request={accountRequest} describedBy={describedBy} />
      <TextField
        name="phone"
        type="tel"
        inputMode="numeric"
        label={t(applicantMessages.phone)}
        value={contact.phone}
        onChange={change('phone')}
        autoComplete="tel-national"
        problem={isChecked && phoneProblem ? t(phoneProblem) : undefined}
      />
      <TextField
        name="email"
        type="email"
        label={t(applicantMessages.email)}
        value={contact.email}
        onChange={change('email')}
        autoComplete="email"
        maxLength={128}
      />
      {captcha.isAsked && (
        <CaptchaProof
          captcha={captcha}
          value={contact.code}
          onChange={change('code')}
          onRenew={renewCode}
          describedBy={describedBy}
          problem={isChecked && isCodeMissing ? t(captcha.key === '' ? 'signIn.captchaLoading' : 'signIn.enterCode') : undefined}
        />
      )}
    </StepForm>
  );
}

interface Registration {
  readonly request: AccountRequest;
  readonly contact: { readonly phone: string; readonly email: string; readonly code: string };
  readonly captcha: Captcha;
}

/** Sends the grant `register`, which does not sign the user in. */
function useRegistration(tenantId: string) {
  const http = useService(Http);
  const { isPending, error, mutate } = useMutation(
    async ({ request: { name, account, password }, contact, captcha }: Registration) => {
      const headers = { 'Tenant-Id': tenantId, ...(captcha.isAsked ? { 'Captcha-Key': captcha.key, 'Captcha-Code': contact.code.trim() } : {}) };
      const grant = { grant_type: 'register', tenantId, username: account, password, name, phone: contact.phone.trim(), email: contact.email.trim() };
      const { success, msg } = await http.send(oauth.token, grant, { quiet: true, headers });
      return { success, message: msg };
    },
    { quiet: true },
  );
  return { failure: error, isBusy: isPending, send: mutate };
}
