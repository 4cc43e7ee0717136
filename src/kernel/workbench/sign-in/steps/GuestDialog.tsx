import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { oauth, type TokenReply } from '#shared/auth';
import { registerGuest } from '#shared/registration';
import { useService } from '../../../base/react/services.tsx';
import { unknownError } from '../../../platform/http/envelope.ts';
import { Http } from '../../../platform/http/http.ts';
import { TransportError } from '../../../platform/http/transport-error.ts';
import { useTranslation } from '../../../platform/i18n/use-translation.ts';
import { SubmitButton } from '../../../ui/fields/SubmitButton.tsx';
import dialogStyles from '../styles/ExpiredDialog.module.css';
import stepStyles from '../styles/NextStep.module.css';
import styles from '../styles/SignInPage.module.css';
import { type AccountRequest, useAccountRequest } from './account-request.ts';
import type { StepProps } from './NextStep.tsx';
import { RegistrationFields } from './RegistrationFields.tsx';
import { sourceWords } from './source-messages.ts';

interface GuestDialogProps extends StepProps {
  readonly reply: TokenReply;
  readonly source: string;
}

/** Requests an account for a third-party identity that is linked to no user; an administrator decides, so the dialog returns to the first step. */
export function GuestDialog({ reply, source, onStep }: GuestDialogProps) {
  const t = useTranslation();
  const http = useService(Http);
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const confirm = useRef<HTMLButtonElement>(null);
  const [isDone, setIsDone] = useState(false);
  const { refused } = reply.detail ?? {};
  const headers = { 'Things-Auth': `bearer ${reply.access_token}` };

  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    if (isDone) confirm.current?.focus();
  }, [isDone]);

  const leave = () => {
    void http.send(oauth.logout, {}, { quiet: true, headers }).catch(() => undefined); // The token lives for minutes at most.
    onStep({ kind: 'account' });
  };
  const register = async (input: AccountRequest): Promise<string | undefined> => {
    const wish = { ...input, tenantId: reply.tenant_id, oauthId: reply.oauth_id };
    const answer = await http.send(registerGuest, wish, { quiet: true, headers }).catch((error: unknown) => {
      if (!(error instanceof TransportError)) throw error;
      return { success: false as const, msg: '' };
    });
    setIsDone(answer.success);
    return answer.success ? undefined : answer.msg === '' || answer.msg === t(unknownError) ? t('ways.guestFailed') : answer.msg;
  };

  return (
    <dialog
      ref={dialog}
      className={dialogStyles.dialog}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        leave();
      }}
    >
      <h1 id={titleId}>{t(isDone ? 'ways.guestDoneTitle' : 'ways.guestTitle')}</h1>
      {isDone ? (
        <>
          <p className={dialogStyles.hint} role="status">
            {t('ways.guestDone')}
          </p>
          <button type="button" className={stepStyles.again} ref={confirm} onClick={leave}>
            {t('ways.confirm')}
          </button>
        </>
      ) : (
        <>
          <p className={dialogStyles.hint}>{t('ways.guestHint', { source: source === 'phone' ? t('ways.thirdParty') : t(sourceWords(source)) })}</p>
          {refused !== undefined && (
            <p className={styles.notice} role="alert">
              {refused === '' ? t('ways.guestRefused') : t('ways.guestRefusedBecause', { reason: refused })}
            </p>
          )}
          <GuestForm name={reply.real_name || reply.nick_name || reply.user_name || ''} onRegister={register} />
          <button type="button" className={dialogStyles.leave} onClick={leave}>
            {t('ways.guestLeave')}
          </button>
        </>
      )}
    </dialog>
  );
}

interface GuestFormProps {
  readonly name: string;
  readonly onRegister: (wish: AccountRequest) => Promise<string | undefined>;
}

function GuestForm({ name, onRegister }: GuestFormProps) {
  const t = useTranslation();
  const form = useRef<HTMLFormElement>(null);
  const failureId = useId();
  const asked = useAccountRequest({ name });
  const [failure, setFailure] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setFailure(undefined);
    const first = asked.check();
    if (first) return form.current?.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus();
    setIsBusy(true);
    setFailure(await onRegister(asked.wish));
    setIsBusy(false);
  };

  return (
    <form ref={form} className={styles.form} onSubmit={submit} noValidate>
      <RegistrationFields of={asked} describedBy={failure && failureId} />
      <p id={failureId} className={styles.failure} role="alert">
        {failure}
      </p>
      <SubmitButton isBusy={isBusy}>{t(isBusy ? 'ways.guestSubmitting' : 'ways.guestSubmit')}</SubmitButton>
    </form>
  );
}
