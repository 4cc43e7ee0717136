import { createPasskey, Http, Toasts, TransportError, useMutation, useService, useTranslation } from '#kernel';
import { passkeys } from '#shared/passkeys';
import { passkeyMessages } from './passkey-messages.ts';

/** Adds a passkey of this device to the account; a failure is shown as a toast. */
export function useAddPasskey(onAdded: () => void) {
  const t = useTranslation();
  const http = useService(Http);
  const toasts = useService(Toasts);
  const add = async (): Promise<boolean> => {
    const begun = await http.send(passkeys.beginRegistration, {});
    if (!begun.success) return false;
    const result = await createPasskey(begun.data.options);
    if ('failure' in result) {
      toasts.error(t(passkeyMessages[result.failure]));
      return false;
    }
    const answer = await http.send(passkeys.register, { attempt: begun.data.attempt, credential: result.credential });
    if (answer.success) toasts.success(t(passkeyMessages.added));
    return answer.success;
  };
  return useMutation(
    () =>
      add().catch((error: unknown) => {
        if (!(error instanceof TransportError)) throw error;
        toasts.error(t(error.localizedMessage));
        return false;
      }),
    { onSuccess: onAdded },
  );
}
