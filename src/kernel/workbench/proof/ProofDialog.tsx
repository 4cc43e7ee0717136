import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { freshProof } from '#shared/second-factor';
import { useService } from '../../base/react/services.tsx';
import { hasPasskeys } from '../../platform/browser/passkey-support.ts';
import { Http } from '../../platform/http/http.ts';
import { useMutation } from '../../platform/http/use-mutation.ts';
import { useQuery } from '../../platform/http/use-query.ts';
import { signInMethodTexts } from '../../platform/i18n/texts.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { WithTexts } from '../../platform/i18n/WithTexts.tsx';
import { Session } from '../../platform/session/session.ts';
import { PasswordField } from '../../ui/fields/PasswordField.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { LoadedPart } from '../../ui/loading/LoadedPart.tsx';
import { StepActions, StepButton, StepDialog, StepDialogHint, StepForm } from '../sign-in/steps/StepParts.tsx';
import { usePasskeyAttempt } from '../sign-in/steps/use-passkey-attempt.ts';

type Method = 'password' | 'totp' | 'passkey';

interface ProofDialogProps {
  /** Receives whether the identity was confirmed. */
  readonly onClose: (isProven: boolean) => void;
}

/** Asks the signed-in user for a proof of identity over the page, which keeps its state. */
export default function ProofDialog(props: ProofDialogProps) {
  return (
    <WithTexts part={signInMethodTexts}>
      <Proof {...props} />
    </WithTexts>
  );
}

function Proof({ onClose }: ProofDialogProps) {
  const t = useTranslation();
  const titleId = useId();
  const query = useQuery(freshProof.methods, {}, { quiet: true });
  return (
    <StepDialog title={t('signInMethods.proofTitle')} titleId={titleId} onLeave={() => onClose(false)} leave={t('signInMethods.proofCancel')}>
      <StepDialogHint>{t('signInMethods.proofHint')}</StepDialogHint>
      <LoadedPart query={query}>
        {({ password, totp, passkey }) => {
          const offered: Record<Method, boolean> = { passkey: passkey && hasPasskeys(), password, totp };
          return <Methods methods={(['passkey', 'password', 'totp'] as const).filter((method) => offered[method])} onProven={() => onClose(true)} />;
        }}
      </LoadedPart>
    </StepDialog>
  );
}

const useTexts = { passkey: 'signInMethods.usePasskey', password: 'signInMethods.usePassword', totp: 'signInMethods.useApp' } as const;

function Methods({ methods, onProven }: { readonly methods: readonly Method[]; readonly onProven: () => void }) {
  const t = useTranslation();
  const session = useService(Session);
  const [selected, setSelected] = useState(methods[0]);
  if (!selected)
    return (
      <>
        <StepDialogHint role="status">{t('signInMethods.proofImpossible')}</StepDialogHint>
        <StepActions>
          <StepButton isPrimary onClick={() => void session.signOut()}>
            {t('signInMethods.switchedLeave')}
          </StepButton>
        </StepActions>
      </>
    );
  return (
    <>
      {selected === 'passkey' ? <PasskeyProof onProven={onProven} /> : <TypedProof key={selected} method={selected} onProven={onProven} />}
      <StepActions>
        {methods
          .filter((method) => method !== selected)
          .map((method) => (
            <StepButton key={method} onClick={() => setSelected(method)}>
              {t(useTexts[method])}
            </StepButton>
          ))}
      </StepActions>
    </>
  );
}

interface TypedProofProps {
  readonly method: 'password' | 'totp';
  readonly onProven: () => void;
}

/** Asks for the password or for a code of the authenticator app. */
function TypedProof({ method, onProven }: TypedProofProps) {
  const t = useTranslation();
  const session = useService(Session);
  const { failure, isBusy, confirm } = useConfirmation(onProven);
  const field = useRef<HTMLInputElement>(null);
  const failureId = useId();
  const [value, setValue] = useState('');
  const [isMissing, setIsMissing] = useState(false);
  const byPassword = method === 'password';
  const missing = t(byPassword ? 'signIn.enterPassword' : 'signInMethods.enterSecondFactor');

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const given = byPassword ? value : value.replace(/\s/g, '');
    setIsMissing(given === '');
    if (given !== '' && (await confirm(byPassword ? { password: given } : { code: given }))) return;
    if (!byPassword) setValue('');
    field.current?.focus();
  };
  const shared = {
    ref: field,
    value,
    onChange: setValue,
    autoFocus: true,
    describedBy: failure && failureId,
    problem: isMissing && value === '' ? missing : undefined,
  };
  return (
    <StepForm failure={failure} failureId={failureId} announces isBusy={isBusy} submit={t('signInMethods.proofConfirm')} onSubmit={submit}>
      {byPassword ? (
        <>
          <input type="text" name="username" autoComplete="username" value={session.user?.account ?? ''} readOnly hidden />
          <PasswordField {...shared} name="proofPassword" label={t('signIn.password')} autoComplete="current-password" />
        </>
      ) : (
        <TextField {...shared} name="proofCode" label={t('signInMethods.secondFactorCode')} inputMode="numeric" autoComplete="one-time-code" maxLength={7} />
      )}
    </StepForm>
  );
}

/** Asks for a passkey; the browser shows its own dialog at once. */
function PasskeyProof({ onProven }: Pick<TypedProofProps, 'onProven'>) {
  const t = useTranslation();
  const failureId = useId();
  const http = useService(Http);
  const confirmation = useConfirmation(onProven);
  const passkey = usePasskeyAttempt(() => http.send(freshProof.begin, {}, { quiet: true }), confirmation.confirm);
  const { start } = passkey;
  useEffect(start, [start]);
  return (
    <StepForm
      failure={passkey.failure ?? confirmation.failure}
      failureId={failureId}
      announces
      isBusy={passkey.isBusy}
      submit={t(passkey.isBusy ? 'signInMethods.passkeyWaiting' : 'signInMethods.usePasskey')}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        start();
      }}
    >
      {null}
    </StepForm>
  );
}

/** Sends a proof to the server, one at a time. */
function useConfirmation(onProven: () => void) {
  const { isPending, error, mutate } = useMutation(freshProof.confirm, { quiet: true, onSuccess: onProven });
  return { failure: error, isBusy: isPending, confirm: mutate };
}
