import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import {
  Http,
  type Mutation,
  type SignInStepProps,
  StepButton,
  StepDialog,
  StepDialogHint,
  StepForm,
  StepNotice,
  unknownError,
  useMutation,
  useService,
  useTranslation,
} from '#kernel';
import { oauth } from '#shared/auth';
import { sourceTitle } from '#shared/social';
import { registerGuest } from '../guest-contract.ts';
import { type AccountRequest, useAccountRequest } from './account-request.ts';
import { applicantMessages } from './messages.ts';
import { RegistrationFields } from './RegistrationFields.tsx';

/** Requests an account for a third-party identity that is linked to no user; an administrator decides, so the dialog returns to the first step. */
export default function RegisterIdentityDialog({ guest, onStep }: SignInStepProps) {
  return guest && <UnlinkedIdentityDialog {...guest} onStep={onStep} />;
}

type UnlinkedIdentityDialogProps = NonNullable<SignInStepProps['guest']> & Pick<SignInStepProps, 'onStep'>;

function UnlinkedIdentityDialog({ reply, source, onStep }: UnlinkedIdentityDialogProps) {
  const t = useTranslation();
  const http = useService(Http);
  const titleId = useId();
  const confirm = useRef<HTMLButtonElement>(null);
  const [isDone, setIsDone] = useState(false);
  const { refused } = reply.detail ?? {};
  const headers = { 'Things-Auth': `bearer ${reply.access_token}` };

  useEffect(() => {
    if (isDone) confirm.current?.focus();
  }, [isDone]);

  const leave = () => {
    void http.send(oauth.logout, {}, { quiet: true, headers }).catch(() => undefined); // The token lives for minutes at most.
    onStep({ kind: 'account' });
  };
  const registering = useMutation(
    async (input: AccountRequest) => {
      const { success, msg } = await http.send(registerGuest, { ...input, tenantId: reply.tenant_id, oauthId: reply.oauth_id }, { quiet: true, headers });
      return { success, message: msg === '' || msg === t(unknownError) ? t(applicantMessages.failed) : msg };
    },
    { quiet: true, onSuccess: () => setIsDone(true) },
  );

  return (
    <StepDialog
      title={t(isDone ? applicantMessages.doneTitle : applicantMessages.guestTitle)}
      titleId={titleId}
      onLeave={leave}
      leave={isDone ? undefined : t('shell.cancel')}
    >
      {isDone ? (
        <>
          <StepDialogHint role="status">{t(applicantMessages.done)}</StepDialogHint>
          <StepButton isPrimary ref={confirm} onClick={leave}>
            {t(applicantMessages.confirm)}
          </StepButton>
        </>
      ) : (
        <>
          <StepDialogHint>
            {t(applicantMessages.guestHint, { source: t(source === 'phone' ? applicantMessages.thirdParty : sourceTitle(source)) })}
          </StepDialogHint>
          {refused !== undefined && (
            <StepNotice role="alert">
              {refused === '' ? t(applicantMessages.guestRefused) : t(applicantMessages.guestRefusedBecause, { reason: refused })}
            </StepNotice>
          )}
          <RegisterIdentityForm name={reply.real_name || reply.nick_name || reply.user_name || ''} registering={registering} />
        </>
      )}
    </StepDialog>
  );
}

interface RegisterIdentityFormProps {
  readonly name: string;
  readonly registering: Mutation<AccountRequest>;
}

function RegisterIdentityForm({ name, registering: { isPending, error, mutate } }: RegisterIdentityFormProps) {
  const t = useTranslation();
  const form = useRef<HTMLFormElement>(null);
  const failureId = useId();
  const accountRequest = useAccountRequest({ name });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isPending) return;
    const firstInvalidField = accountRequest.validateAll();
    if (firstInvalidField) return form.current?.querySelector<HTMLInputElement>(`[name=${firstInvalidField}]`)?.focus();
    void mutate(accountRequest.values);
  };

  return (
    <StepForm
      ref={form}
      failure={error}
      failureId={failureId}
      announces
      isBusy={isPending}
      submit={t(isPending ? applicantMessages.submitting : applicantMessages.submit)}
      onSubmit={submit}
    >
      <RegistrationFields request={accountRequest} describedBy={error && failureId} />
    </StepForm>
  );
}
