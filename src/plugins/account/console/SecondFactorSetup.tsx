import { Suspense, useState } from 'react';
import { Http, hasPasskeys, lazyComponent, Session, StepActions, StepButton, StepHeading, useQuery, useService, useTranslation } from '#kernel';
import { oauth } from '#shared/auth';
import { passkeys } from '#shared/passkeys';
import { passkeyMessages } from './passkey-messages.ts';
import { useAddPasskey } from './use-add-passkey.ts';

const SecondFactorDialog = lazyComponent(() => import('./SecondFactorDialog.tsx'));

/** Leads a user whose role requires a second factor through its setup, before the console opens. */
export default function SecondFactorSetup() {
  const t = useTranslation();
  const http = useService(Http);
  const session = useService(Session);
  const [isEnrolling, setIsEnrolling] = useState(false);
  const query = useQuery(passkeys.list, {}, { quiet: true });
  const reload = async () => {
    const answer = await http.send(oauth.userInfo, {}).catch(() => undefined);
    if (answer?.success) session.updateRoles(answer.data);
  };
  const { isPending, mutate } = useAddPasskey(() => void reload());
  return (
    <>
      <StepHeading title={t(passkeyMessages.setupTitle)} hint={t(passkeyMessages.setupHint)} />
      <StepActions>
        {query.data?.isAvailable && hasPasskeys() && (
          <StepButton isPrimary onClick={() => void mutate()}>
            {t(isPending ? passkeyMessages.adding : passkeyMessages.add)}
          </StepButton>
        )}
        <StepButton isPrimary onClick={() => setIsEnrolling(true)}>
          {t(passkeyMessages.setupApp)}
        </StepButton>
        <StepButton onClick={() => void session.signOut()}>{t('signIn.backToSignIn')}</StepButton>
      </StepActions>
      <Suspense>
        {isEnrolling && (
          <SecondFactorDialog
            change="enrol"
            onClose={() => {
              setIsEnrolling(false);
              void reload();
            }}
          />
        )}
      </Suspense>
    </>
  );
}
