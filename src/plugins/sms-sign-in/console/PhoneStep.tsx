import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import {
  Session,
  type SignInStepProps,
  StepFieldRow,
  StepForm,
  TenantField,
  TextField,
  useMutation,
  useService,
  useSignInAttempt,
  useTranslation,
} from '#kernel';
import { fieldProblem } from '#shared/validation';
import { SignInPhone, sendSmsCode } from '../code-contract.ts';
import { smsSignInMessages } from './messages.ts';
import styles from './PhoneStep.module.css';

/** Seconds until another code can be requested. */
const resendSeconds = 60;

/** Signs in with a phone number and the code that was sent to it. */
export default function PhoneStep(props: SignInStepProps) {
  const { tenant, isOpening, onTyping } = props;
  const t = useTranslation();
  const session = useService(Session);
  const form = useRef<HTMLFormElement>(null);
  const failureId = useId();
  const [values, setValues] = useState({ phone: '', value: '' });
  const [isChecked, setIsChecked] = useState(false);
  const { failure, isBusy, signIn } = useSignInAttempt(props, 'phone');
  const phoneProblem = fieldProblem(SignInPhone, values.phone.trim(), true);
  const sending = useSendCode(tenant.tenantId);
  const isTenantMissing = tenant.isAsked && tenant.tenantId === '';

  const focusField = (name: string) => form.current?.querySelector<HTMLInputElement>(`[name=${name}]`)?.focus();
  const setValue = (name: keyof typeof values) => (value: string) => {
    onTyping();
    setValues((before) => ({ ...before, [name]: value }));
  };
  const send = async () => {
    setIsChecked(true);
    if (isTenantMissing) return focusField('tenant');
    if (phoneProblem) return focusField('phone');
    if (await sending.send(values.phone.trim())) {
      setIsChecked(false);
      focusField('value');
    }
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy || isOpening) return;
    setIsChecked(true);
    if (isTenantMissing || phoneProblem) return focusField(isTenantMissing ? 'tenant' : 'phone');
    if (!sending.id || values.value.trim() === '') return focusField('value');
    const { tenantId } = tenant;
    const grant = { grant_type: 'sms_code', tenantId, id: sending.id, phone: values.phone.trim(), value: values.value.trim() };
    if (await signIn(() => session.signInBy(grant))) return;
    setIsChecked(false);
    setValues((before) => ({ ...before, value: '' }));
    focusField('value');
  };
  const codeProblem = sending.id ? t(smsSignInMessages.enterCode) : t(smsSignInMessages.requestFirst);

  return (
    <StepForm
      ref={form}
      failure={failure}
      failureId={failureId}
      isBusy={isBusy || isOpening}
      submit={t(isOpening ? 'signIn.opening' : isBusy ? 'signIn.submitting' : 'signIn.submit')}
      onSubmit={submit}
    >
      {tenant.isAsked && <TenantField tenant={tenant} isMissing={isChecked && isTenantMissing} />}
      <TextField
        name="phone"
        type="tel"
        inputMode="numeric"
        label={t(smsSignInMessages.phone)}
        value={values.phone}
        onChange={setValue('phone')}
        autoComplete="tel-national"
        autoFocus
        problem={isChecked && phoneProblem ? t(phoneProblem) : sending.failure}
      />
      <StepFieldRow>
        <TextField
          name="value"
          inputMode="numeric"
          label={t(smsSignInMessages.code)}
          value={values.value}
          onChange={setValue('value')}
          autoComplete="one-time-code"
          maxLength={8}
          describedBy={failure && failureId}
          problem={isChecked && !phoneProblem && values.value.trim() === '' ? codeProblem : undefined}
        />
        <button type="button" className={styles.sendCode} aria-disabled={sending.isWaiting} onClick={() => !sending.isWaiting && void send()}>
          {sending.isSending
            ? t(smsSignInMessages.sending)
            : sending.seconds > 0
              ? t(smsSignInMessages.sendAgain, { seconds: sending.seconds })
              : t(smsSignInMessages.sendCode)}
        </button>
        <p className={styles.codeSent} role="status">
          {sending.sentTo && t(smsSignInMessages.codeSent, { phone: sending.sentTo })}
        </p>
      </StepFieldRow>
    </StepForm>
  );
}

/** Sends codes and returns the time at which the next can be requested. */
function useSendCode(tenantId: string) {
  const [sent, setSent] = useState({ id: '', to: '', until: 0 });
  const { isPending, error, mutate } = useMutation(sendSmsCode, {
    quiet: true,
    onSuccess: ({ id }, { phone: to = '' }) => setSent({ id, to, until: Date.now() + resendSeconds * 1000 }),
  });
  const seconds = useSecondsUntil(sent.until);
  const send = (phone: string) => mutate({ tenantId, phone });
  return { send, id: sent.id, sentTo: sent.to, failure: error, isSending: isPending, seconds, isWaiting: isPending || seconds > 0 };
}

/** Counts down once a second. */
function useSecondsUntil(until: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    setNow(Date.now());
    if (until <= Date.now()) return;
    const timer = setInterval(() => {
      setNow(Date.now());
      if (Date.now() >= until) clearInterval(timer);
    }, 1000);
    return () => clearInterval(timer);
  }, [until]);
  return Math.max(0, Math.ceil((until - now) / 1000));
}
